import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RequestLimits } from '../../request-limits';
import { RouteDeclarations } from './route-declarations';
/**
 * Counts each request right after its caller is known, before a byte of the body is read
 * (docs/contract.md#request-limits).
 */
export declare class RequestLimitGuard implements CanActivate {
    private readonly routes;
    private readonly limits;
    constructor(routes: RouteDeclarations, limits: RequestLimits);
    /** @throws RequestLimitError */
    canActivate(context: ExecutionContext): Promise<boolean>;
}
