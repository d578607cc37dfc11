import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, LessThanOrEqual } from 'typeorm';
import type { Membership } from '../../../kernel/auth';
import { Clock, cutText, storableText } from '../../../kernel/common';
import { AccountLocks, MembershipService } from '../../orgs';
import { NoSuchMemberError, TooManyServiceKeysError } from '../api-keys.errors';
import { ApiKey, MAX_KEY_NAME } from '../keys/api-key.entity';
import { type IssuedKey, KeyIssuer } from '../keys/key-issuer';
import type { ServiceKeyCreated } from './service-keys.dto';

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
      this.assertRoom(transaction, person),
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
  async lend(person: Membership, name: string, expiresAt: Date): Promise<string> {
    const { key } = await this.issue(person, { name, expiresAt });
    return key;
  }

  private issue(
    person: Membership,
    key: { readonly name: string; readonly expiresAt: Date },
    check: (transaction: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<IssuedKey> {
    return this.database.transaction(async (transaction) => {
      // Before the check, so that a membership that ends meanwhile takes the key with it.
      await this.locks.organizationAndUser(transaction, person.orgId, person.userId);
      if ((await this.members.roleIn(transaction, person)) === null) throw new NoSuchMemberError();
      const expired = { ...person, isOfService: true, expiresAt: LessThanOrEqual(this.clock.now()) };
      await this.issuer.revoke(transaction, expired);
      await check(transaction);
      return this.issuer.issue(transaction, { ...person, ...key, isOfService: true });
    });
  }

  private async assertRoom(transaction: EntityManager, person: Membership): Promise<void> {
    const now = this.clock.now();
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
