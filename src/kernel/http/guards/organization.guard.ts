import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  type Caller,
  type OrgContext,
  OrgResolution,
  requestIdentity,
  requireOwnSignIn,
  requirePermission,
  requireRecentSignIn,
  requireScope,
  type RouteAccess,
  setIdentity,
} from '../../auth';
import { Clock, requestOf } from '../../common';
import { readUuid, type ValidationIssue } from '../../validation';
import { queryStringOf } from './authentication.guard';
import { RequestValidation } from './request-validation';
import { type RouteDeclaration, RouteDeclarations } from './route-declarations';

type UserAccess = Extract<RouteAccess, { kind: 'user' }>;

/**
 * The second check of a request: determines the organization it acts in, and checks that the caller is a
 * member with the permission the route declares. Errors of reading the body and malformed organization ids
 * come before that, all other validation errors after it (docs/contract.md#order-of-checks). What changes credentials needs a
 * recent sign-in beside the permission, and what keeps something for its user one of their own.
 */
@Injectable()
export class OrganizationGuard implements CanActivate {
  constructor(
    private readonly routes: RouteDeclarations,
    private readonly validation: RequestValidation,
    private readonly organizations: OrgResolution,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationError, AppError */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const route = this.routes.of(context);
    const { caller } = requestIdentity(request);
    const { access } = route;
    if (access.kind !== 'user' || caller === undefined) return true;
    return this.check(request, route, access, caller);
  }

  private async check(
    request: Request,
    route: RouteDeclaration,
    access: UserAccess,
    authenticated: Caller,
  ): Promise<true> {
    const { issues, values } = await this.validation.validate(request, route);
    if (issues.some(isOrgIdIssue)) throw route.plan.error(issues);
    const selectedOrgId = this.organizations.selector(request.get('x-org-id'));
    const caller = { ...authenticated, selectedOrgId };
    setIdentity(request, { caller });
    requireScope(access.scope, caller);
    const org = access.org === 'none' ? null : await this.organizationOf(access, caller, request);
    if (org !== null) setIdentity(request, { caller, org });
    // What a key that is bound to an organization does, it does there.
    const standing = org ?? (await this.organizations.ofBinding(caller));
    if (standing !== null) requirePermission(access.scope, standing);
    if (route.keepsForUser) requireOwnSignIn(caller);
    if (route.changesCredentials?.(values.body) === true) requireRecentSignIn(caller, this.clock.now());
    return true;
  }

  private organizationOf(access: UserAccess, caller: Caller, request: Request): Promise<OrgContext> {
    if (access.org === 'path')
      return this.organizations.ofPath(caller, orgIdOfPath(request), access.unknownOrgStatus);
    const queried = access.org === 'effective-or-query' ? orgIdOfQuery(request.originalUrl) : null;
    return this.organizations.effective(caller, queried);
  }
}

function isOrgIdIssue({ loc }: ValidationIssue): boolean {
  return loc[1] === 'org_id' && (loc[0] === 'path' || loc[0] === 'query');
}

/** Malformed ids have been refused already. */
function orgIdOfPath(request: Request): string {
  const { org_id: text } = request.params;
  return (typeof text === 'string' ? readUuid(text) : undefined) ?? '';
}

function orgIdOfQuery(url: string): string | null {
  const text = new URLSearchParams(queryStringOf(url)).getAll('org_id').at(-1);
  return text === undefined ? null : (readUuid(text) ?? null);
}
