import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RequestValidation } from './request-validation';
import { RouteDeclarations } from './route-declarations';
/**
 * The third check of a request: refuses it with all its faults, or hands typed values to the handler.
 * Neither a pipe nor an interceptor, for the reasons in docs/decisions/0013-order-of-checks.md.
 */
export declare class RequestValidationGuard implements CanActivate {
    private readonly routes;
    private readonly validation;
    constructor(routes: RouteDeclarations, validation: RequestValidation);
    /** @throws ValidationError, and what reading the body throws */
    canActivate(context: ExecutionContext): Promise<boolean>;
}
