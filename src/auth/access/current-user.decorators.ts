import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller, OrgContext, SandboxCaller } from '../identity/principal';

/** What the checks of a request found out, kept beside the request. */
export interface RequestIdentity {
  readonly caller?: Caller;
  readonly sandbox?: SandboxCaller;
  readonly org?: OrgContext;
}

const identities = new WeakMap<object, RequestIdentity>();

/** Notes who calls and in which organization, for the handler's parameters. */
export function setIdentity(request: object, identity: RequestIdentity): void {
  identities.set(request, identity);
}

/** What the checks of a request found out; nothing before the request guard has done its work. */
export function requestIdentity(request: object): RequestIdentity {
  return identities.get(request) ?? {};
}

function identityOf(context: ExecutionContext): RequestIdentity {
  return requestIdentity(context.switchToHttp().getRequest<Request>());
}

function required<T>(value: T | undefined, decorator: string): T {
  if (value === undefined)
    throw new Error(`The route's @Access does not provide what ${decorator} asks for.`);
  return value;
}

/** Handler parameter: the {@link Caller}. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  required(identityOf(context).caller, '@CurrentCaller'),
);

/** Handler parameter: the {@link OrgContext} of a route with an organization. */
export const CurrentOrg = createParamDecorator((_: unknown, context: ExecutionContext): OrgContext =>
  required(identityOf(context).org, '@CurrentOrg'),
);

/** Handler parameter: the {@link SandboxCaller} of a route for agent servers. */
export const CurrentSandbox = createParamDecorator((_: unknown, context: ExecutionContext): SandboxCaller =>
  required(identityOf(context).sandbox, '@CurrentSandbox'),
);
