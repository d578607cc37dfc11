import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, LessThanOrEqual } from 'typeorm';
import type { Membership } from '../../../kernel/auth';
import { Clock, cutText, storableText } from '../../../kernel/common';
import { AccountLocks, Accounts, MembershipService, OWN_ORGANIZATION } from '../../orgs';
import { NoSuchMemberError, TooManyServiceKeysError } from '../api-keys.errors';
import { ApiKey, MAX_KEY_NAME } from '../keys/api-key.entity';
import { type IssuedKey, KeyIssuer } from '../keys/key-issuer';
import { dateTime, Field, integer, string, uuid } from '../../../kernel/validation';

/** Path of the keys of a user in an organization. */
export class ServiceKeyPath {
  @Field(uuid(), {
    description: 'The user.',
    example: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
    exampleFrom: { get: '/api/v1/users/me', value: 'id', none: 'You are in no organization.' },
  })
  user_id!: string;

  @Field(uuid(), {
    description: 'The organization.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    exampleFrom: OWN_ORGANIZATION,
  })
  org_id!: string;
}

/** Body of `POST /api/service/users/{user_id}/orgs/{org_id}/api-keys`. */
export class ServiceKeyCreate {
  @Field(string({ trim: true, minLength: 1 }), { description: 'What the key is for.', example: 'automation' })
  name!: string;
}

/** A key for another service, with its text. */
export class ServiceKeyCreated {
  @Field(integer(), { description: 'Id of the key.', example: 12 })
  id!: number;

  @Field(string(), {
    description: 'The key. Shown this once: only its digest is kept.',
    example: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx',
  })
  key!: string;

  @Field(string(), { description: 'What the key is for.', example: 'automation' })
  name!: string;

  @Field(uuid(), { description: 'Whose key it is.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;

  @Field(uuid(), {
    description: 'The only organization the key works in.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id!: string;

  @Field(dateTime(), { description: 'From when on it stops working.', example: '2026-11-23T09:30:00.000Z' })
  expires_at!: string;
}

/** A key for another service, before it is made. */
interface LentKey {
  readonly name: string;
  readonly expiresAt: Date;
  /** The permissions that it can use at most; left out for all of the member. */
  readonly scopes?: readonly string[] | null;
  /** Who made the key of the service account that it is for; left out for people. */
  readonly madeBy?: string | null;
}

/** How many keys that work another service may have for one member of an organization. */
export const MAX_SERVICE_KEYS = 100;

const LIFETIME_MS = 24 * 3_600_000;

/** Keys that another service is given to act for members (docs/contract.md#keys-for-other-services). */
@Injectable()
export class ServiceKeys {
  private readonly log = new Logger('ServiceKeys');

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly issuer: KeyIssuer,
    private readonly locks: AccountLocks,
    private readonly members: MembershipService,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a key that is bound to the organization and expires; expired ones are removed.
   * @throws NoSuchMemberError, TooManyServiceKeysError
   */
  async create(person: Membership, wantedName: string): Promise<ServiceKeyCreated> {
    const name = cutText(storableText(wantedName), MAX_KEY_NAME);
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const { id, key } = await this.issue(person, { name, expiresAt }, (transaction) =>
      this.assertMayHave(transaction, person),
    );
    const { userId, orgId } = person;
    this.log.log(
      { user: userId, organization: orgId, keyId: id, name, expiresAt },
      'Another service got a key',
    );
    return { id, key, name, user_id: userId, org_id: orgId, expires_at: expiresAt.toISOString() };
  }

  /**
   * Issues a key with which this service itself calls another one for the member; expired ones are removed.
   * @returns its text
   * @throws NoSuchMemberError
   */
  async lend(person: Membership, lent: LentKey): Promise<string> {
    const { key } = await this.issue(person, lent);
    return key;
  }

  private issue(
    person: Membership,
    key: LentKey,
    check: (transaction: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<IssuedKey> {
    return this.database.transaction(async (transaction) => {
      // Before the check, so that a membership that ends meanwhile takes the key with it.
      await this.locks.organizationAndUser(transaction, person.orgId, person.userId);
      if ((await this.members.standingIn(transaction, person)) === null) throw new NoSuchMemberError();
      const expired = { ...person, isOfService: true, expiresAt: LessThanOrEqual(this.clock.now()) };
      await this.issuer.revoke(transaction, expired);
      await check(transaction);
      return this.issuer.issue(transaction, { ...person, ...key, isOfService: true });
    });
  }

  private async assertMayHave(transaction: EntityManager, person: Membership): Promise<void> {
    const now = this.clock.now();
    const account = await this.accounts.findById(transaction, person.userId);
    // Nobody would answer for its key.
    if (account?.kind !== 'person') throw new NoSuchMemberError();
    const own = { ...person, isOfService: true };
    const keys = transaction.getRepository(ApiKey);
    if ((await keys.countBy(own)) < MAX_SERVICE_KEYS) return;
    const first = await keys.findOne({
      where: own,
      select: { id: true, expiresAt: true },
      order: { expiresAt: 'ASC' },
    });
    const waitMs = (first?.expiresAt?.getTime() ?? 0) - now.getTime();
    throw new TooManyServiceKeysError(MAX_SERVICE_KEYS, Math.max(1, Math.ceil(waitMs / 1_000)));
  }
}
