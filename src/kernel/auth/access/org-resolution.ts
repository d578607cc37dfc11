import { Injectable } from '@nestjs/common';
import { Clock, parseUuid } from '../../common';
import { AuthCaches } from '../credentials/auth-caches';
import {
  ContradictingSelectorsError,
  InvalidSelectorError,
  KeyBoundElsewhereError,
  NoCurrentOrganizationError,
  NotAMemberError,
  UnknownOrganizationError,
} from '../identity/auth.errors';
import { assertAccepted, whyNotAccepted } from '../identity/credential-rules';
import { Actor, type Asker } from '../identity/actor';
import { noteOrganization } from './noted-organization';
import { outranks, type Standing } from '../identity/permissions';
import { MembershipReader } from '../identity/ports';
import type { Caller, OrgContext, RuledCredential } from '../identity/principal';

/** The part of an identity that decides whether it may reach into the organization of a resource. */
export type ResourceAsker = Pick<Asker, 'userId' | 'boundOrgId' | 'selectedOrgId' | 'scopes'> &
  RuledCredential;

/** Decides which organization a request acts in and as what (docs/contract.md#effective-organization). */
@Injectable()
export class OrgResolution {
  constructor(
    private readonly members: MembershipReader,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads `X-Org-Id`.
   * @returns the id it selects, or null when the header is absent or empty
   * @throws InvalidSelectorError
   */
  selector(header: string | undefined): string | null {
    if (header === undefined || header.trim() === '') return null;
    const id = parseUuid(header.trim());
    if (id === null) throw new InvalidSelectorError();
    return id;
  }

  /** The organization of a path with `{org_id}`; `X-Org-Id` is a guard only. */
  async ofPath(caller: Caller, orgId: string, unknownOrgStatus: 400 | 403): Promise<OrgContext> {
    if (caller.selectedOrgId !== null && caller.selectedOrgId !== orgId)
      throw new ContradictingSelectorsError();
    if (caller.boundOrgId !== null && caller.boundOrgId !== orgId) throw new KeyBoundElsewhereError();
    const standing = await this.standingOf(caller, orgId);
    if (standing !== null) return this.accepted(caller, { orgId, ...standing });
    if (unknownOrgStatus === 400 && !(await this.members.organizationExists(orgId)))
      throw new UnknownOrganizationError();
    throw new NotAMemberError();
  }

  /**
   * The effective organization: the key's, the selected one, the current one, in this order.
   * @param queried what `org_id` in the query selects, where the route has it
   */
  async effective(caller: Caller, queried: string | null): Promise<OrgContext> {
    const { selectedOrgId, boundOrgId } = caller;
    if (selectedOrgId !== null && queried !== null && selectedOrgId !== queried)
      throw new ContradictingSelectorsError();
    const selected = selectedOrgId ?? queried;
    if (boundOrgId !== null && selected !== null && selected !== boundOrgId)
      throw new KeyBoundElsewhereError();
    const orgId = boundOrgId ?? selected ?? caller.currentOrgId;
    if (orgId === null) throw new NoCurrentOrganizationError();
    const standing = await this.standingOf(caller, orgId);
    if (standing !== null) return this.accepted(caller, { orgId, ...standing });
    if (boundOrgId === null && selected === null && !(await this.members.organizationExists(orgId)))
      throw new NoCurrentOrganizationError();
    throw new NotAMemberError();
  }

  /**
   * What the caller may do in the organization that the key is bound to; null without one, and where they are no member.
   * @throws CredentialNotAcceptedError, ProviderRequiredError
   */
  async ofBinding(caller: Caller): Promise<Standing | null> {
    const { boundOrgId: orgId } = caller;
    const standing = orgId === null ? null : await this.standingOf(caller, orgId);
    return orgId === null || standing === null ? null : this.accepted(caller, { orgId, ...standing });
  }

  /** The organization of a caller or actor: {@link effective} for the caller of a request. */
  async ofAsker(asker: Caller | Actor): Promise<OrgContext> {
    return asker instanceof Actor ? asker : this.effective(asker, null);
  }

  /**
   * What the caller may do in the organization of a resource the path names, or null when the request may not
   * reach into that organization at all; the resource then counts as unknown.
   */
  async ofResource(caller: ResourceAsker, orgId: string): Promise<Standing | null> {
    if (caller instanceof Actor) return caller.orgId === orgId ? caller : null;
    const { userId } = caller;
    if (userId === null) return null;
    if (caller.boundOrgId !== null && caller.boundOrgId !== orgId) return null;
    if (caller.selectedOrgId !== null && caller.selectedOrgId !== orgId) return null;
    const standing = await this.standingOf({ ...caller, userId }, orgId);
    const isRefused = standing !== null && whyNotAccepted(caller, standing.rules, this.clock.now()) !== null;
    if (standing === null || isRefused) return null;
    noteOrganization(orgId);
    return standing;
  }

  /** Whether the caller may use what is theirs in the organization of a resource: see {@link ofResource}. */
  async mayUse(caller: ResourceAsker, orgId: string): Promise<boolean> {
    return (await this.ofResource(caller, orgId))?.permissions.has('use_conversations') === true;
  }

  /** @throws CredentialNotAcceptedError */
  private accepted(caller: Caller, org: OrgContext): OrgContext {
    assertAccepted(caller, org.rules, this.clock.now());
    return org;
  }

  /** What they may do there with their key: what its scopes leave, and, of a service account, what its maker may do as well. */
  private async standingOf(
    { userId, scopes, madeBy }: Pick<Caller, 'userId' | 'scopes' | 'madeBy'>,
    orgId: string,
  ): Promise<Standing | null> {
    const standing = await this.ownStanding(userId, orgId);
    if (standing === null || (scopes === null && madeBy === undefined)) return standing;
    const maker = madeBy === undefined ? null : await this.ownStanding(madeBy, orgId);
    if (madeBy !== undefined && maker === null) return null;
    const limits = [scopes, maker?.permissions].flatMap((limit) => limit ?? []);
    return {
      ...standing,
      role: maker !== null && outranks(standing.role, maker.role) ? maker.role : standing.role,
      permissions: new Set(
        [...standing.permissions].filter((permission) => limits.every((limit) => limit.has(permission))),
      ),
    };
  }

  private ownStanding(userId: string, orgId: string): Promise<Standing | null> {
    return this.caches.standings.get(`${userId}:${orgId}`, () => this.members.standingOf(userId, orgId));
  }
}
