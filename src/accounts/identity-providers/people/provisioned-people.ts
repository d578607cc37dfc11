import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { KeyIssuer } from '../../api-keys';
import { AuthCaches } from '../../../kernel/auth';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { storableText } from '../../../kernel/common';
import { AccountLocks, Accounts, type AccountState, DeprovisionedError, GivenRoles } from '../../orgs';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { MAX_NEW_PEOPLE_PER_HOUR, MAX_SUBJECT } from '../record/limits';
import { UserIdentity } from '../record/user-identity.entity';
import { insertIdentity, selectDomainOwner } from './identities.query';
import { countNewPerson } from './new-people.query';
import {
  AccountDisabledError,
  AccountUnverifiedError,
  AddressNotVerifiedError,
  DomainNotVerifiedError,
  NotProvisionedError,
  OtherIdentityError,
  OfServiceAccountError,
  TooManyNewPeopleError,
} from './people.errors';
import { domainOf, wantedRole } from './people-rules';
import { isSubjectShutOut } from './shut-out.read-model';

/** A person as a provider describes them, in a token whose origin was verified. */
export interface ProvidedPerson {
  readonly subject: string;
  /** Null where it names none. */
  readonly email: string | null;
  /** Null where it does not say. */
  readonly emailVerified: boolean | null;
  readonly name: string | null;
  /** Null where it says nothing about them: members keep their roles. */
  readonly groups: readonly string[] | null;
}

/** Who was let in. */
export interface SettledPerson {
  readonly userId: string;
  /** The only organization that they may reach so; null for all of theirs. */
  readonly orgId: string | null;
}

/**
 * Says which user a person is whom a provider has authenticated, and makes them one where the provider may
 * (docs/sign-in-providers.md#who-is-let-in). The owners of an organization can have their provider say anything: so it counts
 * for that organization alone, and for addresses of its verified domains.
 */
@Injectable()
export class ProvisionedPeople {
  private readonly logger = new Logger(ProvisionedPeople.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly locks: AccountLocks,
    private readonly accounts: Accounts,
    private readonly roles: GivenRoles,
    private readonly keys: KeyIssuer,
    private readonly caches: AuthCaches,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Finds or makes the user, and gives them the role of their groups. Reads only, where nothing has changed.
   * @param assertStill throws where they are not to be let in after all; called when nobody leaves any more until all is written
   * @throws AddressNotVerifiedError, DomainNotVerifiedError, NotProvisionedError, AccountDisabledError, AccountUnverifiedError,
   *   OtherIdentityError, OfServiceAccountError, DeprovisionedError, TooManyNewPeopleError
   */
  async settle(
    provider: IdentityProvider,
    given: ProvidedPerson,
    assertStill: (transaction: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<SettledPerson> {
    const person = { ...given, email: given.email === null ? null : storableText(given.email).toLowerCase() };
    const settled = await this.settledBefore(provider, person);
    if (settled !== null) return settled;
    const userId = await this.database.transaction(async (transaction) => {
      const joins = this.joinedBy(provider);
      const isThere = joins !== null && (await this.locks.organization(transaction, joins));
      await assertStill(transaction);
      return this.letIn(transaction, provider, person, isThere ? joins : null);
    });
    this.caches.clear();
    return { userId, orgId: provider.orgId };
  }

  /**
   * Asserts that a provider may still let somebody in whom it has let in before.
   * @throws DomainNotVerifiedError, NotProvisionedError, AccountDisabledError, AccountUnverifiedError, OfServiceAccountError
   */
  async assertKnown(provider: IdentityProvider, userId: string): Promise<void> {
    await this.knownAccount(this.database.manager, provider, userId);
  }

  /** Who has signed in before, and has the role that they are to have; null for all others. */
  private async settledBefore(
    provider: IdentityProvider,
    person: ProvidedPerson,
  ): Promise<SettledPerson | null> {
    const { manager } = this.database;
    const identities = manager.getRepository(UserIdentity);
    const identity = await identities.findOneBy({ providerId: provider.id, subject: person.subject });
    if (identity === null) return null;
    const { userId } = identity;
    await this.knownAccount(manager, provider, userId);
    const orgId = this.joinedBy(provider);
    if (orgId === null) return { userId, orgId: null };
    const current = await this.roles.of(manager, { orgId, userId });
    const wanted = await this.roleIn(manager, { provider, orgId, current, person });
    const isSettled =
      wanted === current || (wanted === null && (current !== null || provider.orgId === null));
    return isSettled ? { userId, orgId: provider.orgId } : null;
  }

  /** @param orgId the organization that the provider lets people into, locked; null for none */
  private async letIn(
    transaction: EntityManager,
    provider: IdentityProvider,
    person: ProvidedPerson,
    orgId: string | null,
  ): Promise<string> {
    const identity = await transaction
      .getRepository(UserIdentity)
      .findOneBy({ providerId: provider.id, subject: person.subject });
    if (identity !== null) await this.knownAccount(transaction, provider, identity.userId);
    const known = identity?.userId ?? (await this.newcomer(transaction, provider, person, orgId));
    const current =
      orgId === null || known === null ? null : await this.roles.of(transaction, { orgId, userId: known });
    const role = orgId === null ? null : await this.roleIn(transaction, { provider, orgId, current, person });
    const isLetIn = role !== null || current !== null || (known !== null && provider.orgId === null);
    if (!isLetIn) throw new NotProvisionedError();
    const userId = known ?? (await this.newUser(transaction, provider, person));
    if (identity === null) await this.link(transaction, provider, person.subject, userId);
    if (orgId !== null && role !== null) await this.roles.give(transaction, { orgId, userId }, role);
    return userId;
  }

  /**
   * The user with the address of a person who comes in for the first time, unless a directory has switched them off, who may come with
   * another address than it knows; null where nobody has it.
   */
  private async newcomer(
    transaction: EntityManager,
    provider: IdentityProvider,
    person: ProvidedPerson,
    orgId: string | null,
  ): Promise<string | null> {
    if (orgId !== null) {
      const whose = { providerId: provider.id, subject: person.subject };
      if (await isSubjectShutOut(transaction, orgId, whose)) throw new DeprovisionedError();
      await this.countNew(transaction, provider, orgId);
    }
    return this.addressee(transaction, provider, person);
  }

  /** An owner's provider can name as many people as it likes, and each becomes an account: so they are bounded. */
  private async countNew(transaction: EntityManager, { id }: IdentityProvider, orgId: string): Promise<void> {
    const { people, wait_seconds: waitSeconds } = await countNewPerson(transaction, orgId);
    if (people <= MAX_NEW_PEOPLE_PER_HOUR) return;
    this.logger.warn({ orgId, provider: id }, 'Too many new people came by a provider of identities');
    throw new TooManyNewPeopleError(waitSeconds);
  }

  /** Asserts that an identity still counts. */
  private async knownAccount(
    transaction: EntityManager,
    provider: IdentityProvider,
    userId: string,
  ): Promise<void> {
    const account = await this.accounts.findById(transaction, userId);
    if (account === null) throw new NotProvisionedError();
    await this.checkAccount(transaction, provider, account);
  }

  /**
   * The user with the address of a person who comes in for the first time; null where nobody has it. An account whose address
   * was never verified becomes theirs as it does with a mailed code: a new one, with the memberships of the old one.
   */
  private async addressee(
    transaction: EntityManager,
    provider: IdentityProvider,
    { email, emailVerified, subject, name }: ProvidedPerson,
  ): Promise<string | null> {
    if (subject === '' || subject.length > MAX_SUBJECT) throw new NotProvisionedError();
    const isVerified = provider.orgId === null ? emailVerified === true : emailVerified !== false;
    if (email === null || !isVerified) throw new AddressNotVerifiedError();
    await this.checkDomain(transaction, provider, email);
    const account = await this.accounts.findByEmail(transaction, email);
    if (account === null) return null;
    await this.checkAccount(transaction, provider, account);
    if (account.confinedToOrgId === null) return account.id;
    await this.keys.revoke(transaction, { userId: account.id });
    return this.accounts.handOver(transaction, account.id, name);
  }

  private async checkAccount(
    transaction: EntityManager,
    provider: IdentityProvider,
    { kind, email, disabledAt, confinedToOrgId }: AccountState,
  ): Promise<void> {
    if (kind !== 'person') throw new OfServiceAccountError();
    if (disabledAt !== null || email === null) throw new AccountDisabledError();
    if (provider.orgId === null) return;
    await this.checkDomain(transaction, provider, email);
    if (confinedToOrgId !== null && confinedToOrgId !== provider.orgId) throw new AccountUnverifiedError();
  }

  /** Asserts that a provider speaks for the domain of an address. */
  private async checkDomain(
    transaction: EntityManager,
    { orgId }: IdentityProvider,
    email: string,
  ): Promise<void> {
    const domain = domainOf(email);
    const domains = this.settings.OIDC_EMAIL_DOMAINS;
    const isTaken =
      orgId === null
        ? domains.length === 0 || domains.some((one) => one.toLowerCase() === domain)
        : (await selectDomainOwner(transaction, domain)) === orgId;
    if (!isTaken) throw new DomainNotVerifiedError();
  }

  private async newUser(
    transaction: EntityManager,
    { orgId }: IdentityProvider,
    { email, name }: ProvidedPerson,
  ): Promise<string> {
    if (email === null || (orgId === null && this.settings.OIDC_AUTO_PROVISION === 'off'))
      throw new NotProvisionedError();
    return (await this.accounts.ensureUser(transaction, { email, name })).userId;
  }

  private async link(
    transaction: EntityManager,
    { id: providerId }: IdentityProvider,
    subject: string,
    userId: string,
  ): Promise<void> {
    if (await insertIdentity(transaction, { providerId, subject, userId, boundByUserId: null })) return;
    const identity = await transaction.getRepository(UserIdentity).findOneBy({ providerId, subject });
    if (identity?.userId !== userId) throw new OtherIdentityError();
  }

  private async roleIn(transaction: EntityManager, { provider, orgId, current, person }: Asked) {
    const named = [...provider.groupRoles.map(({ role }) => role), provider.defaultRole ?? []].flat();
    const known = await this.roles.known(transaction, orgId, named);
    return wantedRole(provider, known, current, person.groups);
  }

  /** The organization that a provider lets people into who are no members. */
  private joinedBy({ orgId }: IdentityProvider): string | null {
    return orgId ?? this.settings.OIDC_ORG_ID?.toLowerCase() ?? null;
  }
}

/** Whose role in which organization is wanted. */
interface Asked {
  readonly provider: IdentityProvider;
  readonly orgId: string;
  /** Null for no member. */
  readonly current: string | null;
  readonly person: ProvidedPerson;
}
