import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type RouteAccess } from '../../auth';
import { type Bucket } from '../../request-limits';
import { type RequestPlan } from '../../validation';
import { type HeaderLengths } from './header-limits';
/** What a handler declares about its requests. */
export interface RouteDeclaration {
    readonly access: RouteAccess;
    /** The bucket in which its requests are counted; null when they are not. */
    readonly bucket: Bucket | null;
    /** How path, query, headers and body are validated. */
    readonly plan: RequestPlan;
    /** The largest body the route accepts, in bytes. */
    readonly bodyLimit: number;
    /** The largest lengths of its headers. */
    readonly headerLengths: HeaderLengths;
}
/** Reads the declarations of handlers, once per handler; the guards share them. */
export declare class RouteDeclarations {
    private readonly reflector;
    private readonly cache;
    constructor(reflector: Reflector);
    /** @throws Error when the handler does not declare its access */
    of(context: ExecutionContext): RouteDeclaration;
    private read;
}
