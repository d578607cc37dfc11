import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '../../common';
import { sessionKey } from '../credentials/authentication';
import type { RouteAccess } from './access';
import type { Caller, DirectoryCaller, OrgContext, SandboxCaller } from '../identity/principal';

/** The authenticated caller of a request, and the organization it acts in. */
export interface RequestIdentity {
  readonly caller?: Caller;
  readonly sandbox?: SandboxCaller;
  readonly directory?: DirectoryCaller;
  /** Of a call of another service, by its key. */
  readonly isOtherService?: true;
  readonly org?: OrgContext;
  /** The organization of the sandbox that the door lets a request at. */
  readonly reachedOrgId?: string;
}

/** Where a request has it: looking it up by the request takes the collector of garbage longer. */
const IDENTITY = Symbol('identity');

declare module 'http' {
  interface IncomingMessage {
    [IDENTITY]?: RequestIdentity;
  }
}

/** Sets the identity of a request, for the parameters of its handler. */
export function setIdentity(request: IncomingMessage, identity: RequestIdentity): void {
  request[IDENTITY] = identity;
}

/** Whether a request has been let through to the handler of a route. */
export function isIdentified(request: IncomingMessage): boolean {
  return request[IDENTITY] !== undefined;
}

/** The identity of a request; empty before the guards have run. */
export function requestIdentity(request: IncomingMessage): RequestIdentity {
  return request[IDENTITY] ?? {};
}

function identityOf(context: ExecutionContext): RequestIdentity {
  return requestIdentity(requestOf(context));
}

function required<T>(value: T | undefined, decorator: string): T {
  if (value === undefined) throw new Error(`The route's @Access does not provide what ${decorator} needs.`);
  return value;
}

type Reader<T> = (data: unknown, context: ExecutionContext) => T;

const readCaller: Reader<Caller> = (_, context) => required(identityOf(context).caller, '@CurrentCaller');
const readOrg: Reader<OrgContext> = (_, context) => required(identityOf(context).org, '@CurrentOrg');
const readSandbox: Reader<SandboxCaller> = (_, context) =>
  required(identityOf(context).sandbox, '@CurrentSandbox');

const readDirectory: Reader<DirectoryCaller> = (_, context) =>
  required(identityOf(context).directory, '@CurrentDirectory');

/** Handler parameter: the {@link Caller}. */
export const CurrentCaller = createParamDecorator(readCaller);

/** Handler parameter: the {@link OrgContext} of a route with an organization. */
export const CurrentOrg = createParamDecorator(readOrg);

/** Handler parameter: the {@link SandboxCaller} of a route for agent servers. */
export const CurrentSandbox = createParamDecorator(readSandbox);

/** Handler parameter: the {@link DirectoryCaller} of a route for the directories of organizations. */
export const CurrentDirectory = createParamDecorator(readDirectory);

/**
 * Why a route with this access cannot have a parameter.
 * @param factory what reads the parameter, as Nest keeps it
 * @returns the end of a sentence, or null where it can
 */
export function parameterMisfit(factory: unknown, access: RouteAccess): string | null {
  if (factory === readCaller && access.kind !== 'user')
    return '@CurrentCaller, which only a route with @Access has';
  if (factory === readOrg && (access.kind !== 'user' || access.org === 'none'))
    return '@CurrentOrg, but names no organization: add org to its @Access';
  if (factory === readSandbox && access.kind !== 'sandbox')
    return '@CurrentSandbox, which only a route with @SandboxAccess has';
  if (factory === readDirectory && access.kind !== 'directory')
    return '@CurrentDirectory, which only a route with @DirectoryAccess has';
  return null;
}

/** Handler parameter: what a request carries in `X-Session-API-Key`; null for nothing. */
export const PresentedSessionKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  sessionKey(requestOf(context).headers),
);
