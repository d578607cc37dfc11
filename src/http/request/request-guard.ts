import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import {
  Authentication,
  type Caller,
  roleHasPermission,
  type OrgContext,
  OrgResolution,
  PermissionDeniedError,
  ROUTE_ACCESS,
  type RouteAccess,
  type SandboxCaller,
  setIdentity,
} from '../../auth';
import {
  type ParsedBody,
  readUuid,
  type RequestFault,
  type RequestPlan,
  RequestPlans,
} from '../../validation';
import { BODY_LIMIT, DEFAULT_BODY_LIMIT } from '../body/body-limit';
import { readBody } from '../body/body-reader';
import { keepBody, replaceRequestValues } from '../body/request-values';

type UserAccess = Extract<RouteAccess, { kind: 'user' }>;

/** What a handler declares, looked up once. */
interface Route {
  readonly access: RouteAccess;
  readonly plan: RequestPlan;
  readonly bodyLimit: number;
}

interface Identified {
  readonly caller?: Caller;
  readonly sandbox?: SandboxCaller;
}

/**
 * The way of a request, in the order of docs/contract.md#order-of-checks: who, from the headers alone; the
 * body; a malformed organization id; the organization and permission; all other faults. Handlers get typed
 * values and a checked identity.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly routes = new WeakMap<object, Route>();

  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    private readonly organizations: OrgResolution,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const { access, plan, bodyLimit } = this.routeOf(context);
    const who = await this.identify(access, request);
    const body = plan.hasBody ? await readAndParse(request, plan, bodyLimit) : undefined;
    const checked = plan.check({
      params: request.params,
      rawQuery: queryOf(request.originalUrl),
      headers: request.headers,
      body,
    });
    if (checked.faults.some(isOrgIdFault)) throw plan.error(checked.faults);
    const identity = await this.inOrganization(access, who, request);
    if (checked.faults.length > 0) throw plan.error(checked.faults);
    replaceRequestValues(request, checked.values);
    setIdentity(request, identity);
    return true;
  }

  private routeOf(context: ExecutionContext): Route {
    const handler = context.getHandler();
    const known = this.routes.get(handler);
    if (known) return known;
    const controller = context.getClass();
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
      handler,
      controller,
    ]);
    if (access === undefined)
      throw new Error(`${controller.name}.${handler.name} does not declare its access.`);
    const limit = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, [handler, controller]);
    const route = {
      access,
      plan: RequestPlans.for(controller, handler.name),
      bodyLimit: limit ?? DEFAULT_BODY_LIMIT,
    };
    this.routes.set(handler, route);
    return route;
  }

  private async identify(access: RouteAccess, request: Request): Promise<Identified> {
    if (access.kind === 'public') return {};
    if (access.kind === 'sandbox') return { sandbox: await this.authentication.sandbox(request.headers) };
    return { caller: { ...(await this.authentication.user(request.headers)), selectedOrgId: null } };
  }

  private async inOrganization(
    access: RouteAccess,
    who: Identified,
    request: Request,
  ): Promise<Identified & { readonly org?: OrgContext }> {
    if (access.kind !== 'user' || who.caller === undefined) return who;
    const caller = {
      ...who.caller,
      selectedOrgId: this.organizations.selector(request.get('x-org-id')),
    };
    if (access.org === 'none') return { caller };
    return { caller, org: await this.checkedOrganization(access, caller, request) };
  }

  private async checkedOrganization(
    access: UserAccess,
    caller: Caller,
    request: Request,
  ): Promise<OrgContext> {
    const org =
      access.org === 'path'
        ? await this.organizations.ofPath(caller, orgIdOfPath(request), access.unknownOrgStatus)
        : await this.organizations.effective(
            caller,
            access.org === 'effective-or-query' ? orgIdOfQuery(request.originalUrl) : null,
          );
    if (access.permission !== null && !roleHasPermission(org.role, access.permission))
      throw new PermissionDeniedError(access.permission);
    return org;
  }
}

async function readAndParse(request: Request, plan: RequestPlan, bodyLimit: number): Promise<ParsedBody> {
  const bytes = await readBody(request, bodyLimit);
  const body = plan.parseBody(bytes, request.headers['content-type']);
  keepBody(request, body);
  return body;
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

function isOrgIdFault({ loc }: RequestFault): boolean {
  return loc[1] === 'org_id' && (loc[0] === 'path' || loc[0] === 'query');
}

/** The id was found well-formed already, if it is there at all: its faults end the request before. */
function orgIdOfPath(request: Request): string {
  const { org_id: text } = request.params;
  return (typeof text === 'string' ? readUuid(text) : undefined) ?? '';
}

function orgIdOfQuery(url: string): string | null {
  const text = new URLSearchParams(queryOf(url)).getAll('org_id').at(-1);
  return text === undefined ? null : (readUuid(text) ?? null);
}
