import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { OnlyProvider } from '../../orgs';
import type { Caller, OrgContext } from '../../../kernel/auth';
import { newId, parseUuid } from '../../../kernel/common';
import { publicUrl, SETTINGS, type Settings } from '../../../kernel/config';
import { lockForTransaction } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { ProviderProblem } from '../outbound/provider-problem';
import { ProviderClients } from '../protocol/provider-clients';
import { BACKCHANNEL_LOGOUT_PATH, CALLBACK_PATH, pathFor } from '../protocol/provider-paths';
import { IdentityProvider } from '../record/identity-provider.entity';
import { IdentityProviders } from '../record/identity-providers';
import { ProviderBodies } from './provider-bodies';
import type {
  ProviderCreate,
  ProviderList,
  ProviderResponse,
  ProviderTest,
  ProviderUpdate,
} from './providers.dto';
import {
  MAX_PROVIDERS,
  NotSignedInByProviderError,
  ProviderNotFoundError,
  TooManyProvidersError,
} from './providers.errors';

/** The names of columns in a body, where they differ. */
const FIELDS: Readonly<Record<string, string>> = {
  clientId: 'client_id',
  sealedClientSecret: 'client_secret',
  defaultRole: 'default_role',
  groupClaim: 'group_claim',
  groupRoles: 'group_roles',
};

/** The providers of identities of an organization, over the API (docs/sign-in-providers.md#of-an-organization). */
@Injectable()
export class ProvidersService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly providers: IdentityProviders,
    private readonly only: OnlyProvider,
    private readonly bodies: ProviderBodies,
    private readonly clients: ProviderClients,
    private readonly events: DomainEvents,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async list({ orgId }: OrgContext): Promise<ProviderList> {
    const only = await this.only.of(orgId);
    const found = await this.providers.ofOrganization(orgId);
    return { items: found.map((provider) => this.toResponse(provider, only)) };
  }

  /** @throws ProviderNotFoundError */
  async get({ orgId }: OrgContext, id: string): Promise<ProviderResponse> {
    return this.toResponse(
      await this.found(this.database.manager, orgId, id, false),
      await this.only.of(orgId),
    );
  }

  /** @throws ValidationError for an issuer that cannot be one, and roles that there are not; RoleNotHeldError, TooManyProvidersError */
  async create(caller: Caller, org: OrgContext, body: ProviderCreate): Promise<ProviderResponse> {
    const { orgId } = org;
    await this.bodies.checkIssuer(body.issuer);
    const id = newId();
    const made = await this.database.transaction(async (transaction) => {
      const givers = await this.bodies.giversOf(transaction, caller, org);
      await this.bodies.checkBelieved(transaction, orgId, givers, body);
      await lockForTransaction(transaction, `identity-providers:${orgId}`);
      const repository = transaction.getRepository(IdentityProvider);
      if ((await repository.countBy({ orgId })) >= MAX_PROVIDERS) throw new TooManyProvidersError();
      await this.bodies.checkRoles(transaction, orgId, givers, body);
      await repository.insert({ ...this.bodies.columnsOf(id, body), id, orgId, issuer: body.issuer });
      await this.events.publish(transaction, {
        kind: 'identity_provider.created',
        org_id: orgId,
        identity_provider_id: id,
        user_id: caller.userId,
      });
      return repository.findOneByOrFail({ id });
    });
    this.providers.clear();
    return this.toResponse(made, null);
  }

  /** @throws ProviderNotFoundError, NotSignedInByProviderError, RoleNotHeldError; ValidationError for roles that there are not */
  async update(
    caller: Caller,
    org: OrgContext,
    text: string,
    body: ProviderUpdate,
  ): Promise<ProviderResponse> {
    const { orgId } = org;
    const changed = await this.database.transaction(async (transaction) => {
      const givers = await this.bodies.giversOf(transaction, caller, org);
      const before = await this.found(transaction, orgId, text, true);
      await this.bodies.checkBelieved(transaction, orgId, givers, body);
      await this.bodies.checkRoles(transaction, orgId, givers, body);
      // Another claim gives the same roles to other people.
      const regiven = body.group_claim === undefined ? [] : before.groupRoles.map(({ role }) => role);
      await this.bodies.checkGrantable(transaction, orgId, givers, regiven);
      const wanted = Object.entries(this.bodies.columnsOf(before.id, body)).filter(
        ([name, value]) => !isDeepStrictEqual(value, Reflect.get(before, name)),
      );
      const repository = transaction.getRepository(IdentityProvider);
      if (wanted.length > 0) await repository.update({ id: before.id }, Object.fromEntries(wanted));
      const fields = wanted.map(([name]) => FIELDS[name] ?? name);
      if (await this.settleExclusive(transaction, caller, before, body.exclusive)) fields.push('exclusive');
      if (fields.length > 0)
        await this.events.publish(transaction, {
          kind: 'identity_provider.updated',
          org_id: orgId,
          identity_provider_id: before.id,
          user_id: caller.userId,
          fields,
        });
      const only = await this.only.of(orgId, transaction);
      return this.toResponse(await repository.findOneByOrFail({ id: before.id }), only);
    });
    this.providers.clear();
    return changed;
  }

  /** @throws ProviderNotFoundError */
  async delete({ userId }: Caller, { orgId }: OrgContext, text: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const provider = await this.found(transaction, orgId, text, true);
      await this.providers.remove(transaction, provider);
      await this.events.publish(transaction, {
        kind: 'identity_provider.deleted',
        org_id: orgId,
        identity_provider_id: provider.id,
        user_id: userId,
      });
    });
    this.providers.clear();
  }

  /** @throws ProviderNotFoundError */
  async test({ orgId }: OrgContext, text: string): Promise<ProviderTest> {
    const provider = await this.found(this.database.manager, orgId, text, false);
    try {
      await this.clients.test(provider);
      return { works: true, problem: null };
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error;
      return { works: false, problem: error.message };
    }
  }

  /** @returns whether anything changed. @throws NotSignedInByProviderError */
  private async settleExclusive(
    transaction: EntityManager,
    { identityProviderId }: Caller,
    { id, orgId }: IdentityProvider,
    wanted: boolean | undefined,
  ): Promise<boolean> {
    if (wanted === undefined || orgId === null) return false;
    if (((await this.only.of(orgId, transaction)) === id) === wanted) return false;
    if (wanted && identityProviderId !== id) throw new NotSignedInByProviderError();
    await this.only.set(transaction, orgId, wanted ? id : null);
    return true;
  }

  /** @param isLocked until the transaction ends. @throws ProviderNotFoundError */
  private async found(
    transaction: EntityManager,
    orgId: string,
    text: string,
    isLocked: boolean,
  ): Promise<IdentityProvider> {
    const id = parseUuid(text);
    const found =
      id === null
        ? null
        : await transaction.getRepository(IdentityProvider).findOne({
            where: { id, orgId },
            ...(isLocked && { lock: { mode: 'for_no_key_update' as const } }),
          });
    if (found === null) throw new ProviderNotFoundError();
    return found;
  }

  private toResponse(provider: IdentityProvider, only: string | null): ProviderResponse {
    const base = publicUrl(this.settings);
    return {
      id: provider.id,
      name: provider.name,
      issuer: provider.issuer,
      client_id: provider.clientId,
      has_client_secret: provider.sealedClientSecret !== null,
      scope: provider.scope,
      default_role: provider.defaultRole,
      group_claim: provider.groupClaim,
      group_roles: provider.groupRoles.map(({ group, role }) => ({ group, role })),
      audience: provider.audience,
      introspection: provider.introspection,
      exclusive: provider.id === only,
      redirect_uri: base + pathFor(CALLBACK_PATH, provider),
      backchannel_logout_uri: base + pathFor(BACKCHANNEL_LOGOUT_PATH, provider),
      created_at: provider.createdAt.toISOString(),
      updated_at: provider.updatedAt.toISOString(),
    };
  }
}
