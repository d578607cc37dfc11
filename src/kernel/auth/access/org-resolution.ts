import { Injectable } from '@nestjs/common';
import { parseUuid } from '../../common';
import { AuthCaches } from '../credentials/auth-caches';
import {
  ContradictingSelectorsError,
  InvalidSelectorError,
  KeyBoundElsewhereError,
  NoCurrentOrganizationError,
  NotAMemberError,
  UnknownOrganizationError,
} from '../identity/auth.errors';
import { Actor, type Asker } from '../identity/actor';
import type { Role } from '../identity/permissions';
import { MembershipReader } from '../identity/ports';
import type { Caller, OrgContext } from '../identity/principal';

/** The part of an identity that decides whether it may reach into the organization of a resource. */
export type ResourceAsker = Pick<Asker, 'userId' | 'boundOrgId' | 'selectedOrgId'>;

/** Decides which organization a request acts in and as what (docs/contract.md#effective-organization). */
@Injectable()
export class OrgResolution {
  constructor(
    private readonly members: MembershipReader,
    private readonly caches: AuthCaches,
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
    const role = await this.roleOf(caller.userId, orgId);
    if (role !== null) return { orgId, role };
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
    const role = await this.roleOf(caller.userId, orgId);
    if (role !== null) return { orgId, role };
    if (boundOrgId === null && selected === null && !(await this.members.organizationExists(orgId)))
      throw new NoCurrentOrganizationError();
    throw new NotAMemberError();
  }

  /** The organization of a caller or actor: {@link effective} for the caller of a request. */
  async ofAsker(asker: Caller | Actor): Promise<OrgContext> {
    return asker instanceof Actor ? asker : this.effective(asker, null);
  }

  /**
   * The caller's role in the organization of a resource the path names, or null when the request may not
   * reach into that organization at all; the resource then counts as unknown.
   */
  async ofResource(caller: ResourceAsker, orgId: string): Promise<Role | null> {
    if (caller instanceof Actor) return caller.orgId === orgId ? caller.role : null;
    if (caller.userId === null) return null;
    if (caller.boundOrgId !== null && caller.boundOrgId !== orgId) return null;
    if (caller.selectedOrgId !== null && caller.selectedOrgId !== orgId) return null;
    return this.roleOf(caller.userId, orgId);
  }

  private roleOf(userId: string, orgId: string): Promise<Role | null> {
    return this.caches.roles.get(`${userId}:${orgId}`, () => this.members.roleOf(userId, orgId));
  }
}
