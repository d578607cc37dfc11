import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Caller, type OrgContext, personOf } from '../../kernel/auth';
import {
  clampLimit,
  type Page,
  PageIds,
  pageOf,
  searchText,
  storableOrNull,
  unlessHidden,
  AppError,
  appError,
} from '../../kernel/common';
import { DomainEvents } from '../../kernel/domain-events';
import { MAX_SECRETS } from './secret-rules';
import type { SecretCreate, SecretInfo, SecretSearch, SecretUpdate } from './secrets.dto';
import { type SecretWithoutValue, UserSecretsRepository } from './user-secrets.repository';

/** 404: you have no such secret (docs/contract.md#secrets). */
export const SecretNotFoundError = appError(404, 'secret_not_found', 'You have no secret of this name.');

/** 409: a secret of this name exists already. */
export const SecretExistsError = appError(409, 'secret_exists', 'You have a secret of this name already.');

/** 409: the limit of secrets per user is reached. */
export class TooManySecretsError extends AppError {
  constructor(limit: number) {
    super(409, 'too_many_secrets', `You have ${limit} secrets, which is the most there may be.`);
  }
}

/** 403: a key bound to one organization may not change what applies to all of its user's. */
export const SecretOfAllOrganizationsError = appError(
  403,
  'secret_of_all_organizations',
  'This secret holds in all of your organizations; a key that is bound to one cannot change it.',
);

const PAGES = PageIds.byText('secrets');

/** Users' own secrets (docs/contract.md#secrets). */
@Injectable()
export class SecretsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly secrets: UserSecretsRepository,
    private readonly events: DomainEvents,
  ) {}

  /** The secrets that the caller's conversations in the organization get, without values. */
  async search(caller: Caller, org: OrgContext, query: SecretSearch): Promise<Page<SecretInfo>> {
    const limit = clampLimit(query.limit);
    const first = PAGES.read(query.page_id) ?? '';
    const { name__contains: part = '' } = query;
    const kept = await this.secrets.ofPerson(personOf(caller, org));
    const found = kept.filter(({ name }) => name >= first && searchText(name).includes(searchText(part)));
    return pageOf(found, limit, toInfo, ({ name }) => PAGES.write(name));
  }

  /** @throws SecretNotFoundError */
  async get(caller: Caller, org: OrgContext, name: string): Promise<SecretInfo> {
    const kept = await this.secrets.ofPerson(personOf(caller, org));
    const secret = kept.find((one) => one.name === name);
    if (secret === undefined) throw new SecretNotFoundError();
    return toInfo(secret);
  }

  /** @throws SecretExistsError, TooManySecretsError */
  async create(caller: Caller, { name, value, description }: SecretCreate): Promise<SecretInfo> {
    const owner = { userId: caller.userId, orgId: caller.boundOrgId };
    const secret = { ...owner, name, description: storableOrNull(description) };
    await this.change(owner, async (transaction) => {
      if (await this.secrets.isThere(transaction, secret)) throw new SecretExistsError();
      if ((await this.secrets.count(transaction, owner)) >= MAX_SECRETS)
        throw new TooManySecretsError(MAX_SECRETS);
      await this.secrets.insert(transaction, { ...secret, value });
    });
    return toInfo(secret);
  }

  /** @throws SecretNotFoundError, SecretOfAllOrganizationsError, SecretExistsError */
  async update(caller: Caller, org: OrgContext, name: string, update: SecretUpdate): Promise<SecretInfo> {
    const changed = { name: update.name, description: storableOrNull(update.description) };
    await this.change({ userId: caller.userId, orgId: caller.boundOrgId }, async (transaction) => {
      const { id, userId, orgId } = await this.changeable(transaction, { caller, org }, name);
      if (update.name !== name && (await this.secrets.isThere(transaction, { userId, orgId, ...changed })))
        throw new SecretExistsError();
      const value = unlessHidden(update.value);
      await this.secrets.update(transaction, id, { ...changed, ...(value && { value }) });
    });
    return changed;
  }

  /** @throws SecretNotFoundError, SecretOfAllOrganizationsError */
  async delete(caller: Caller, org: OrgContext, name: string): Promise<void> {
    await this.change({ userId: caller.userId, orgId: caller.boundOrgId }, async (transaction) => {
      const { id } = await this.changeable(transaction, { caller, org }, name);
      await this.secrets.delete(transaction, id);
    });
  }

  /** The secret that the caller sees under a name, if the key may change it. */
  private async changeable(
    transaction: EntityManager,
    { caller, org }: { readonly caller: Caller; readonly org: OrgContext },
    name: string,
  ): Promise<SecretWithoutValue> {
    const kept = await this.secrets.ofPerson(personOf(caller, org), transaction);
    const secret = kept.find((one) => one.name === name);
    if (secret === undefined) throw new SecretNotFoundError();
    if (caller.boundOrgId !== null && secret.orgId === null) throw new SecretOfAllOrganizationsError();
    return secret;
  }

  private async change(
    owner: { readonly userId: string; readonly orgId: string | null },
    work: (transaction: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.secrets.lock(transaction, owner.userId);
      await work(transaction);
      await this.events.publish(transaction, {
        kind: 'settings.updated',
        org_id: owner.orgId,
        user_id: owner.userId,
        fields: ['secrets'],
      });
    });
  }
}

function toInfo({ name, description }: Pick<SecretWithoutValue, 'name' | 'description'>): SecretInfo {
  return { name, description };
}
