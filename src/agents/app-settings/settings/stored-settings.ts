import { Inject, Injectable } from '@nestjs/common';
import { type Person, storableText, AppError, appError } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import type { MarketplaceRegistration, RegistrationScope } from '../../skills';
import {
  type StoredRegistration,
  OrgAppSettingsRow,
  UserAppSettingsRow,
  UserOrgAppSettingsRow,
} from './app-settings.entity';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';

/** Settings as read: no time of a save when there was none yet. */
export type StoredOrgSettings = Omit<OrgAppSettingsRow, 'updatedAt'> & { readonly updatedAt: Date | null };
export type StoredUserSettings = Omit<UserAppSettingsRow, 'updatedAt'> & { readonly updatedAt: Date | null };

/** Reads the settings of organizations and of people; the defaults until they are first saved. */
@Injectable()
export class StoredSettings {
  constructor(
    @InjectRepository(OrgAppSettingsRow) private readonly orgs: Repository<OrgAppSettingsRow>,
    @InjectRepository(UserAppSettingsRow) private readonly users: Repository<UserAppSettingsRow>,
    @InjectRepository(UserOrgAppSettingsRow)
    private readonly usersInOrgs: Repository<UserOrgAppSettingsRow>,
  ) {}

  /** @param transaction to read in; a read of its own without one */
  async ofOrg(orgId: string, transaction?: EntityManager): Promise<StoredOrgSettings> {
    const repository = transaction?.withRepository(this.orgs) ?? this.orgs;
    return (
      (await repository.findOneBy({ orgId })) ?? {
        orgId,
        enableProactiveConversationStarters: true,
        maxBudgetPerTask: null,
        registeredMarketplaces: [],
        updatedAt: null,
      }
    );
  }

  /**
   * Those that hold for a person in an organization: saved for it, or else everywhere, where those are not out of reach. With no
   * organization the latter.
   * @param transaction to read in; a read of its own without one
   */
  async ofUser(
    { userId, orgId, byLink }: Omit<Person, 'orgId'> & { readonly orgId: string | null },
    transaction?: EntityManager,
  ): Promise<StoredUserSettings> {
    if (orgId !== null) {
      const inOrg = await (transaction?.withRepository(this.usersInOrgs) ?? this.usersInOrgs).findOneBy({
        userId,
        orgId,
      });
      if (inOrg !== null) return inOrg;
    }
    const repository = transaction?.withRepository(this.users) ?? this.users;
    const everywhere = byLink ? null : await repository.findOneBy({ userId });
    return everywhere ?? { userId, registeredMarketplaces: [], updatedAt: null };
  }
}

/** 400: two registrations of one list have the same name (docs/contract.md#app-settings). */
export class DuplicateMarketplacesError extends AppError {
  constructor(names: readonly string[]) {
    super(400, 'marketplace_names_duplicate', `These names are registered twice: ${names.join(', ')}.`);
  }
}

/** 409: another caller saved the settings meanwhile (docs/contract.md#app-settings). */
export const SettingsChangedError = appError(
  409,
  'settings_changed',
  'The settings were changed since you read them; read them again.',
);

/** A registration with its scope, which follows from where it is stored. */
interface ScopedRegistration extends StoredRegistration {
  readonly scope: RegistrationScope;
}

/** Registrations as answered: each with the scope of its place. */
export function withScope(
  registrations: readonly StoredRegistration[],
  scope: RegistrationScope,
): ScopedRegistration[] {
  return registrations.map(({ name, source, ref, repo_path, auto_load }) => ({
    name,
    source,
    ref,
    repo_path,
    auto_load,
    scope,
  }));
}

/**
 * Registrations as stored: without the scope a request may carry (docs/contract.md#app-settings).
 * @throws DuplicateMarketplacesError
 */
export function toStore(registrations: readonly MarketplaceRegistration[]): StoredRegistration[] {
  const names = registrations.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (twice.size > 0) throw new DuplicateMarketplacesError([...twice]);
  return registrations.map(({ name, source, ref, repo_path, auto_load }) => ({
    name: storableText(name),
    source: storableText(source),
    ref: ref === null ? null : storableText(ref),
    repo_path: repo_path === null ? null : storableText(repo_path),
    auto_load,
  }));
}

/**
 * What a conversation gets: instance < organization < personal by name
 * (docs/contract.md#composition-of-marketplaces). An organization may override an instance entry; a personal
 * entry of an inherited name is left out.
 */
export function compose(
  instance: readonly StoredRegistration[],
  org: readonly StoredRegistration[],
  personal: readonly StoredRegistration[],
): ScopedRegistration[] {
  const byName = new Map<string, ScopedRegistration>();
  for (const registration of [...withScope(instance, 'instance'), ...withScope(org, 'org')])
    byName.set(registration.name, registration);
  for (const registration of withScope(personal, 'personal'))
    if (!byName.has(registration.name)) byName.set(registration.name, registration);
  return [...byName.values()];
}

/**
 * What the start of a conversation takes over from the settings around it
 * (docs/contract.md#composition-of-marketplaces).
 */
interface ConversationDefaults {
  /** By name; the scope is to be stripped before an agent server sees them. */
  readonly marketplaces: ScopedRegistration[];
  readonly maxBudgetPerTask: number | null;
}

/** Puts together the registrations of instance, organization and person for a conversation. */
@Injectable()
export class ComposedMarketplaces {
  constructor(
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The settings that a conversation of this user in this organization starts with. */
  async forConversation(person: Person): Promise<ConversationDefaults> {
    const org = await this.stored.ofOrg(person.orgId);
    const user = await this.stored.ofUser(person);
    return {
      marketplaces: compose(
        this.settings.INSTANCE_MARKETPLACES,
        org.registeredMarketplaces,
        user.registeredMarketplaces,
      ),
      maxBudgetPerTask: org.maxBudgetPerTask,
    };
  }
}
