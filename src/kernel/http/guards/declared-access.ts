import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type OrgSource, type Permission, PermissionTable, ROUTE_ACCESS, type RouteAccess } from '../../auth';
import { StartError } from '../../common';

type Handler = (...args: unknown[]) => unknown;

/** One route of a controller, as declared. */
interface DeclaredRoute {
  readonly controller: new (...args: never[]) => unknown;
  readonly handlerName: string;
  readonly access: RouteAccess;
}

/**
 * Denies by default: a route that does not declare who may call it, or names a permission that is not there or without an
 * organization to have it in, stops the start (docs/decisions/0014-deny-by-default.md).
 */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
    private readonly permissions: PermissionTable,
  ) {}

  onModuleInit(): void {
    const undeclared: string[] = [];
    for (const { controller, handlerName, access } of this.routes()) {
      const name = `${controller.name}.${handlerName}`;
      if (access === undefined) undeclared.push(name);
      else if (access.kind === 'user' && access.permission !== null)
        this.checkPermission(name, access.permission, access.org);
    }
    if (undeclared.length > 0)
      throw new StartError(
        `These routes declare neither @Access, @SandboxAccess nor @Public: ${undeclared.join(', ')}.`,
      );
  }

  private checkPermission(name: string, permission: Permission, org: OrgSource): void {
    if (!this.permissions.isKnown(permission))
      throw new StartError(
        `The route ${name} needs the permission ${permission}, which nobody can have: it is not in the table, nor among those of an extension.`,
      );
    // The types refuse it; extensions in JavaScript have none.
    if (org === 'none')
      throw new StartError(
        `The route ${name} needs the permission ${permission}, but names no organization to have it in: add org to its @Access.`,
      );
  }

  private *routes(): Generator<Omit<DeclaredRoute, 'access'> & { access: RouteAccess | undefined }> {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as DeclaredRoute['controller'];
      const prototype = controller.prototype as Record<string, Handler>;
      for (const handlerName of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[handlerName];
        if (handler === undefined || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
        const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
          handler,
          controller,
        ]);
        yield { controller, handlerName, access };
      }
    }
  }
}
