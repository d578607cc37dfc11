import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess } from '../../auth';
import { type RequestPlan, RequestPlans } from '../../validation';
import { BODY_LIMIT, DEFAULT_BODY_LIMIT } from '../body/body-limit';

/** What a handler declares about its requests. */
export interface RouteDeclaration {
  readonly access: RouteAccess;
  /** How path, query, headers and body are validated. */
  readonly plan: RequestPlan;
  /** The largest body the route accepts, in bytes. */
  readonly bodyLimit: number;
}

/** Reads the declarations of handlers, once per handler; the guards share them. */
@Injectable()
export class RouteDeclarations {
  private readonly cache = new WeakMap<object, RouteDeclaration>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws Error when the handler does not declare its access */
  of(context: ExecutionContext): RouteDeclaration {
    const handler = context.getHandler();
    const cached = this.cache.get(handler);
    if (cached) return cached;
    const declaration = this.read(context);
    this.cache.set(handler, declaration);
    return declaration;
  }

  private read(context: ExecutionContext): RouteDeclaration {
    const handler = context.getHandler();
    const controller = context.getClass();
    const targets = [handler, controller];
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, targets);
    if (access === undefined)
      throw new Error(`${controller.name}.${handler.name} does not declare its access.`);
    const limit = this.reflector.getAllAndOverride<number | undefined>(BODY_LIMIT, targets);
    return {
      access,
      plan: RequestPlans.for(controller, handler.name),
      bodyLimit: limit ?? DEFAULT_BODY_LIMIT,
    };
  }
}
