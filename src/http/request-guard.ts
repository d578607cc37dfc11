import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import {
  Authentication,
  type Caller,
  holds,
  type OrgContext,
  OrgResolution,
  PermissionDeniedError,
  ROUTE_ACCESS,
  type RouteAccess,
  setIdentity,
} from '../auth';

type UserAccess = Extract<RouteAccess, { kind: 'user' }>;

/**
 * The way of a request, in the order of decisions 4: who; the body; a malformed organization id; the
 * organization and permission; all other faults. Handlers get typed values and a checked identity.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    private readonly organizations: OrgResolution,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const access = this.reflector.getAllAndOverride<RouteAccess>(ROUTE_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access.kind === 'sandbox') {
      setIdentity(request, { sandbox: await this.authentication.sandbox(request.headers) });
    } else if (access.kind === 'user') {
      const verified = await this.authentication.user(request.headers);
      const caller = { ...verified, selectedOrgId: this.organizations.selector(request.get('x-org-id')) };
      const org = await this.resolveOrg(access, caller, String(request.params.org_id), null);
      setIdentity(request, { caller, ...(org && { org }) });
    }
    return true;
  }

  private async resolveOrg(
    access: UserAccess,
    caller: Caller,
    pathOrgId: string,
    queriedOrgId: string | null,
  ): Promise<OrgContext | null> {
    if (access.org === 'none') return null;
    const org =
      access.org === 'path'
        ? await this.organizations.ofPath(caller, pathOrgId, access.unknownOrgStatus)
        : await this.organizations.effective(caller, queriedOrgId);
    if (access.permission !== null && !holds(org.role, access.permission))
      throw new PermissionDeniedError(access.permission);
    return org;
  }
}
