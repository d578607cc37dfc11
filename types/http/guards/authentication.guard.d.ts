import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Authentication } from '../../auth';
import { FailedCredentials } from './failed-credentials';
import { RouteDeclarations } from './route-declarations';
/**
 * The first check of a request: authenticates the caller from the headers alone, before a byte of the body
 * is read (docs/contract.md#order-of-checks).
 */
export declare class AuthenticationGuard implements CanActivate {
    private readonly routes;
    private readonly authentication;
    private readonly failed;
    constructor(routes: RouteDeclarations, authentication: Authentication, failed: FailedCredentials);
    /**
     * @throws UnauthenticatedError, TooManyFailedCredentialsError; MethodNotAllowedError for a fixed path that only a
     *   parameter takes
     */
    canActivate(context: ExecutionContext): Promise<boolean>;
    private authenticate;
}
