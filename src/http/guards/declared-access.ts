import { Injectable, type OnModuleInit } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess } from '../../auth';

type Handler = (...args: unknown[]) => unknown;

/** One route of a controller, as declared. */
export interface DeclaredRoute {
  readonly controller: new (...args: never[]) => unknown;
  readonly handlerName: string;
  readonly access: RouteAccess;
}

/**
 * Denies by default: a route that does not declare who may call it stops the start
 * (docs/decisions/0014-deny-by-default.md).
 */
@Injectable()
export class DeclaredAccess implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const undeclared = [...this.routes()].filter(({ access }) => access === undefined);
    if (undeclared.length === 0) return;
    const names = undeclared.map(({ controller, handlerName }) => `${controller.name}.${handlerName}`);
    throw new Error(`These routes declare neither @Access, @SandboxAccess nor @Public: ${names.join(', ')}.`);
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
