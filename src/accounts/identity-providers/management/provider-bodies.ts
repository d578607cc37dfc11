import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { GivenRoles, LockedStandings, OwnRoles } from '../../orgs';
import { type Caller, type OrgContext, parseRole, type Standing } from '../../../kernel/auth';
import { storableText, unlessHidden } from '../../../kernel/common';
import { ValidationError } from '../../../kernel/validation';
import { ProviderFetch } from '../outbound/provider-fetch';
import type { IdentityProvider } from '../record/identity-provider.entity';
import { IdentityProviders } from '../record/identity-providers';
import type { ProviderUpdate } from './providers.dto';

/** The columns that a body may change. */
export type ProviderColumns = Partial<
  Omit<IdentityProvider, 'id' | 'orgId' | 'issuer' | 'createdAt' | 'updatedAt'>
>;

/** What of a body gives roles. */
type GivingRoles = Pick<ProviderUpdate, 'default_role' | 'group_roles'>;

/** Makes columns of what owners enter, and checks what has to be looked up for it. */
@Injectable()
export class ProviderBodies {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly roles: GivenRoles,
    private readonly ownRoles: OwnRoles,
    private readonly standings: LockedStandings,
    private readonly fetch: ProviderFetch,
  ) {}

  /** Asserts that an address may be the issuer of a provider. @throws ValidationError */
  async checkIssuer(issuer: string): Promise<void> {
    const problem = await this.fetch.problemOfIssuer(issuer);
    if (problem !== null) throw refused('issuer', problem);
  }

  /** What a caller may do, by themselves and with their key; locks the organization. @throws NotAMemberError */
  async giversOf(transaction: EntityManager, caller: Caller, org: OrgContext): Promise<readonly Standing[]> {
    return [await this.standings.of(transaction, org.orgId, caller), org];
  }

  /**
   * Asserts that the organization has the roles of a body, and that who sends it may give them: the provider gives them to whomever
   * it likes, its sender included.
   * @param givers see {@link giversOf}
   * @throws ValidationError, RoleNotHeldError
   */
  async checkRoles(
    transaction: EntityManager,
    orgId: string,
    givers: readonly Standing[],
    { default_role, group_roles = [] }: GivingRoles,
  ): Promise<void> {
    const ofField = {
      default_role: [default_role ?? []].flat(),
      group_roles: group_roles.map(({ role }) => role),
    };
    for (const [field, roles] of Object.entries(ofField)) {
      const wanted = roles.map((role) => role.toLowerCase());
      const known = await this.roles.known(transaction, orgId, wanted);
      if (known.length < wanted.length) throw refused(field, 'the organization has no such role');
      await this.checkGrantable(transaction, orgId, givers, known);
    }
  }

  /**
   * Asserts that somebody may say who speaks for people: another provider, client or audience can name anybody with an address of the
   * organization's domains, its owners among them.
   * @param before null for a new provider
   * @throws RoleNotHeldError
   */
  async checkSpeaker(
    transaction: EntityManager,
    orgId: string,
    givers: readonly Standing[],
    body: Pick<ProviderUpdate, 'client_id' | 'audience' | 'introspection'>,
    before: IdentityProvider | null,
  ): Promise<void> {
    const { client_id = before?.clientId, audience = null, introspection = false } = body;
    const isSame =
      before !== null &&
      client_id === before.clientId &&
      (audience === null || audience === before.audience) &&
      (!introspection || before.introspection);
    if (!isSame) await this.checkGrantable(transaction, orgId, givers, ['owner']);
  }

  /**
   * Asserts that somebody may give roles.
   * @param roles those that the organization has; others count for nothing
   * @throws RoleNotHeldError
   */
  async checkGrantable(
    transaction: EntityManager,
    orgId: string,
    givers: readonly Standing[],
    roles: readonly string[],
  ): Promise<void> {
    for (const text of new Set(await this.roles.known(transaction, orgId, roles))) {
      const rank = parseRole(text);
      const given = { role: rank ?? 'member', ownRoleId: rank === null ? text : null };
      for (const giver of givers) await this.ownRoles.assertGrantable(transaction, orgId, giver, given);
    }
  }

  /** The columns of what is present in a body. */
  columnsOf(id: string, body: ProviderUpdate): ProviderColumns {
    const { name, client_id, scope, default_role, group_claim, group_roles, audience, introspection } = body;
    const client_secret = unlessHidden(body.client_secret);
    return {
      ...(name !== undefined && { name: storableText(name) }),
      ...(client_id !== undefined && { clientId: storableText(client_id) }),
      ...(client_secret !== undefined && { sealedClientSecret: this.providers.seal(id, client_secret) }),
      ...(scope !== undefined && { scope: storableText(scope) }),
      ...(default_role !== undefined && { defaultRole: default_role?.toLowerCase() ?? null }),
      ...(group_claim !== undefined && { groupClaim: storableText(group_claim) }),
      ...(group_roles !== undefined && {
        groupRoles: group_roles.map(({ group, role }) => ({
          group: storableText(group),
          role: role.toLowerCase(),
        })),
      }),
      ...(audience !== undefined && { audience: audience === null ? null : storableText(audience) }),
      ...(introspection !== undefined && { introspection }),
    };
  }
}

/** 422, without what was sent. */
function refused(field: string, reason: string): ValidationError {
  const issue = { type: 'value_error', loc: ['body', field], msg: `Value error, ${reason}`, input: null };
  return new ValidationError([issue], { status: 422, plain: true });
}
