import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { type Caller, type OrgContext, ownerOf, personOf } from '../../kernel/auth';
import {
  clampLimit,
  type Page,
  PageIds,
  pageOf,
  searchText,
  storableOrNull,
  unlessHidden,
  appError,
} from '../../kernel/common';
import { ownedBy } from '../../kernel/database';
import { MAX_SECRETS } from './secrets.dto';
import type { SecretCreate, SecretInfo, SecretSearch, SecretUpdate } from './secrets.dto';
import type { UserSecret } from './user-secret.entity';
import { type SecretWithoutValue, UserSecretsRepository } from './user-secrets.repository';

/** 404: you have no such secret (docs/contract.md#secrets). */
export const SecretNotFoundError = appError(404, 'secret_not_found', 'You have no secret of this name.');

/** 409: a secret of this name exists already. */
export const SecretExistsError = appError(409, 'secret_exists', 'You have a secret of this name already.');

/** 409: the limit of secrets per user is reached. */
export const TooManySecretsError = appError(
  409,
  'too_many_secrets',
  `You have ${MAX_SECRETS} secrets, which is the most there may be.`,
);

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
  constructor(private readonly secrets: UserSecretsRepository) {}

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
    const owner = ownerOf(caller);
    const secret = {
      userId: caller.userId,
      orgId: owner.orgId,
      name,
      description: storableOrNull(description),
    };
    await this.secrets.change(owner, async (rows) => {
      if (await rows.existsBy({ ...ownedBy(owner), name })) throw new SecretExistsError();
      if ((await rows.countBy(ownedBy(owner))) >= MAX_SECRETS) throw new TooManySecretsError();
      await this.secrets.insert(rows, { ...secret, value });
    });
    return toInfo(secret);
  }

  /** @throws SecretNotFoundError, SecretOfAllOrganizationsError, SecretExistsError */
  async update(caller: Caller, org: OrgContext, name: string, update: SecretUpdate): Promise<SecretInfo> {
    const changed = { name: update.name, description: storableOrNull(update.description) };
    await this.secrets.change(ownerOf(caller), async (rows) => {
      const { id, ...owner } = await this.changeable(rows, { caller, org }, name);
      if (changed.name !== name && (await rows.existsBy({ ...ownedBy(owner), name: changed.name })))
        throw new SecretExistsError();
      const value = unlessHidden(update.value);
      await this.secrets.update(rows, id, { ...changed, ...(value && { value }) });
    });
    return changed;
  }

  /** @throws SecretNotFoundError, SecretOfAllOrganizationsError */
  async delete(caller: Caller, org: OrgContext, name: string): Promise<void> {
    await this.secrets.change(ownerOf(caller), async (rows) => {
      const { id } = await this.changeable(rows, { caller, org }, name);
      await rows.delete({ id });
    });
  }

  /** The secret that the caller sees under a name, if the key may change it. */
  private async changeable(
    rows: Repository<UserSecret>,
    { caller, org }: { readonly caller: Caller; readonly org: OrgContext },
    name: string,
  ): Promise<SecretWithoutValue> {
    const kept = await this.secrets.ofPerson(personOf(caller, org), rows);
    const secret = kept.find((one) => one.name === name);
    if (secret === undefined) throw new SecretNotFoundError();
    if (caller.boundOrgId !== null && secret.orgId === null) throw new SecretOfAllOrganizationsError();
    return secret;
  }
}

function toInfo({ name, description }: Pick<SecretWithoutValue, 'name' | 'description'>): SecretInfo {
  return { name, description };
}
