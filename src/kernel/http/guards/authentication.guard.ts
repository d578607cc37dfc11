import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  Authentication,
  type RequestIdentity,
  type RouteAccess,
  setIdentity,
  ticketSubject,
} from '../../auth';
import { requestOf } from '../../common';
import { allowedMethods, isOfFixedPath } from '../errors/allowed-methods';
import { MethodNotAllowedError } from '../errors/http.errors';
import { FailedCredentials } from './failed-credentials';
import { RouteDeclarations } from './route-declarations';

type ClosedAccess = Exclude<RouteAccess, { kind: 'public' }>;

/**
 * The first check of a request: authenticates the caller from the headers alone, before a byte of the body
 * is read (docs/contract.md#order-of-checks).
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly routes: RouteDeclarations,
    private readonly authentication: Authentication,
    private readonly failed: FailedCredentials,
  ) {}

  /**
   * @throws UnauthenticatedError, TooManyFailedCredentialsError; MethodNotAllowedError for a fixed path that only a
   *   parameter takes
   */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    if (isOfFixedPath(request)) throw new MethodNotAllowedError(allowedMethods(request.app, request.path));
    const { access } = this.routes.of(context);
    if (access.kind !== 'public') return this.identify(access, request);
    setIdentity(request, {});
    return true;
  }

  private async identify(access: ClosedAccess, request: Request): Promise<true> {
    const ticket = access.kind === 'user' && access.ticketFor !== null ? ticketOf(request) : null;
    const identity = this.failed.watch(request, `${access.kind} ${ticket ?? ''}`, () =>
      this.authenticate(access, request),
    );
    setIdentity(request, await identity);
    return true;
  }

  private async authenticate(access: ClosedAccess, request: Request): Promise<RequestIdentity> {
    if (access.kind === 'sandbox') return { sandbox: await this.authentication.sandbox(request.headers) };
    if (access.kind === 'service') {
      this.authentication.service(request.headers);
      return { isOtherService: true };
    }
    if (access.kind === 'directory')
      return { directory: await this.authentication.directory(request.headers) };
    const ticket = access.ticketFor === null ? null : ticketOf(request);
    const user =
      ticket === null || access.ticketFor === null
        ? await this.authentication.caller(request)
        : await this.authentication.ticketHolder(
            ticket,
            ticketSubject(access.ticketFor, request.params[access.ticketFor]),
            request,
          );
    return { caller: { ...user, selectedOrgId: null } };
  }
}

/** The ticket in the query; null without one. It alone counts then. */
function ticketOf({ originalUrl }: Request): string | null {
  return new URLSearchParams(queryStringOf(originalUrl)).get('ticket');
}

/** @returns what follows the `?` of a request target, undecoded; empty when there is no `?` */
export function queryStringOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
