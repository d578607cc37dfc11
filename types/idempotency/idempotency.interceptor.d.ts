import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { type Observable } from 'rxjs';
import { IdempotencyStore } from './idempotency-store';
/**
 * Does an operation once for each `Idempotency-Key` of a user, in an organization, on a route. It runs after
 * the guards: a caller who has lost access to the operation gets no replay of it either
 * (docs/decisions/0025-idempotency-keys.md).
 */
export declare class IdempotencyInterceptor implements NestInterceptor {
    private readonly store;
    private readonly reflector;
    private readonly modules;
    private readonly logger;
    constructor(store: IdempotencyStore, reflector: Reflector, modules: ModuleRef);
    intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>>;
    private resourceOf;
    private perform;
    /** When recording fails, a repetition is answered as unknown; this response is not affected. */
    private tryRecord;
}
