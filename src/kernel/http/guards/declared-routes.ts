import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess } from '../../auth';
import { isRecord } from '../../common';

type Handler = (...args: unknown[]) => unknown;

/** One route of a controller, as declared. */
export interface DeclaredRoute {
  readonly controller: new (...args: never[]) => unknown;
  readonly handler: Handler;
  /** `Controller.method`, for sentences. */
  readonly name: string;
  /** Undefined for one that does not declare it. */
  readonly access: RouteAccess | undefined;
  /** `GET`, or `ALL`. */
  readonly method: string;
  /** Each begins with `/`. */
  readonly paths: readonly string[];
  /** The metadata that Nest keeps for decorated parameters. */
  readonly parameters: readonly Readonly<Record<string, unknown>>[];
  /** The name of its Nest module. */
  readonly moduleToken: string | undefined;
}

/** The routes of all controllers, those of extensions included; read once. */
@Injectable()
export class DeclaredRoutes {
  private known: readonly DeclaredRoute[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** In the order in which they are registered. */
  all(): readonly DeclaredRoute[] {
    return (this.known ??= [...this.read()]);
  }

  private *read(): Generator<DeclaredRoute> {
    for (const { metatype, host } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as DeclaredRoute['controller'];
      const prototype = controller.prototype as Record<string, Handler>;
      for (const handlerName of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[handlerName];
        if (handler === undefined || !Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
        const method = Number(Reflect.getMetadata(METHOD_METADATA, handler));
        const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handlerName);
        yield {
          controller,
          handler,
          name: `${controller.name}.${handlerName}`,
          access: this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
            handler,
            controller,
          ]),
          method: RequestMethod[method] ?? '',
          paths: pathsOf(controller).flatMap((base) => pathsOf(handler).map((path) => joined(base, path))),
          parameters: isRecord(parameters) ? Object.values(parameters).filter(isRecord) : [],
          moduleToken: host?.token,
        };
      }
    }
  }
}

function pathsOf(target: object): string[] {
  const declared: unknown = Reflect.getMetadata(PATH_METADATA, target);
  return (Array.isArray(declared) ? declared : [declared]).map((path: unknown) =>
    typeof path === 'string' ? path : '',
  );
}

function joined(base: string, path: string): string {
  return `/${base}/${path}`.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}
