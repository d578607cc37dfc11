import { type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PermissionTable, type RouteAccess } from '../../auth';
/** One route of a controller, as declared. */
export interface DeclaredRoute {
    readonly controller: new (...args: never[]) => unknown;
    readonly handlerName: string;
    readonly access: RouteAccess;
}
/**
 * Denies by default: a route that does not declare who may call it, or names a permission that is not there, stops the start
 * (docs/decisions/0014-deny-by-default.md).
 */
export declare class DeclaredAccess implements OnModuleInit {
    private readonly discovery;
    private readonly scanner;
    private readonly reflector;
    private readonly permissions;
    constructor(discovery: DiscoveryService, scanner: MetadataScanner, reflector: Reflector, permissions: PermissionTable);
    onModuleInit(): void;
    private routes;
}
