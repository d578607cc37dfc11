import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Authentication, type RequestIdentity, type RouteAccess, setIdentity } from '../../auth';
import { allowedMethods, isOfFixedPath } from '../errors/allowed-methods';
import { MethodNotAllowedError } from '../errors/http.errors';
import { RouteDeclarations } from './route-declarations';

/**
 * The first check of a request: authenticates the caller from the headers alone, before a byte of the body
 * is read (docs/contract.md#order-of-checks).
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly routes: RouteDeclarations,
    private readonly authentication: Authentication,
  ) {}

  /** @throws UnauthenticatedError; MethodNotAllowedError for a fixed path that only a parameter takes */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if (isOfFixedPath(request)) throw new MethodNotAllowedError(allowedMethods(request.app, request.path));
    setIdentity(request, await this.authenticate(this.routes.of(context).access, request));
    return true;
  }

  private async authenticate(access: RouteAccess, { headers }: Request): Promise<RequestIdentity> {
    switch (access.kind) {
      case 'public':
        return {};
      case 'sandbox':
        return { sandbox: await this.authentication.sandbox(headers) };
      case 'user':
        return { caller: { ...(await this.authentication.user(headers)), selectedOrgId: null } };
    }
  }
}
