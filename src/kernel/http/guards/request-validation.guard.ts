import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { RequestValues } from '../../validation';
import { RequestValidation } from './request-validation';
import { RouteDeclarations, IGNORED_FIELDS, ignoredFieldsText } from './route-declarations';

/**
 * The third check of a request: refuses it with all its errors, or hands typed values to the handler.
 * Neither a pipe nor an interceptor, for the reasons in docs/decisions/0013-order-of-checks.md.
 */
@Injectable()
export class RequestValidationGuard implements CanActivate {
  constructor(
    private readonly routes: RouteDeclarations,
    private readonly validation: RequestValidation,
  ) {}

  /** @throws ValidationError, and what reading the body throws */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = this.routes.of(context);
    const { issues, values, body } = await this.validation.validate(request, route);
    if (issues.length > 0) throw route.plan.error(issues);
    if (route.reportsIgnoredFields && body !== undefined) {
      const ignored = ignoredFieldsText(route.plan.ignoredFields(body, values.body));
      if (ignored !== '') context.switchToHttp().getResponse<Response>().set(IGNORED_FIELDS, ignored);
    }
    replaceRequestValues(request, values);
    return true;
  }
}

/** Puts the typed values where Nest's parameter decorators read them. */
function replaceRequestValues(request: Request, { params, query, headers, body }: RequestValues): void {
  if (params) define(request, 'params', params);
  if (query) define(request, 'query', query);
  if (headers) define(request, 'headers', headers);
  if (body !== undefined) define(request, 'body', body);
}

/** Express declares some of these properties as getters. */
function define(request: Request, name: string, value: unknown): void {
  Object.defineProperty(request, name, { value, writable: true, configurable: true, enumerable: true });
}
