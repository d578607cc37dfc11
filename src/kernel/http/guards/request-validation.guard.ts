import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestOf, responseOf } from '../../common';
import type { RequestValues } from '../../validation';
import { RequestValidation, type ValidatedRequest } from './request-validation';
import {
  IGNORED_FIELDS,
  ignoredFieldsText,
  type RouteDeclaration,
  RouteDeclarations,
} from './route-declarations';

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
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const route = this.routes.of(context);
    const accept = (validated: ValidatedRequest): true => {
      assertValid(validated, route, responseOf(context));
      replaceRequestValues(request, validated.values);
      return true;
    };
    const validated = this.validation.validate(request, route);
    return validated instanceof Promise ? validated.then(accept) : accept(validated);
  }
}

/** Names the fields of a body that nothing reads, too. @throws ValidationError */
function assertValid(
  { issues, values, body }: ValidatedRequest,
  { plan, reportsIgnoredFields }: RouteDeclaration,
  response: Response,
): void {
  if (issues.length > 0) throw plan.error(issues);
  if (!reportsIgnoredFields || body === undefined) return;
  const ignored = ignoredFieldsText(plan.ignoredFields(body, values.body));
  if (ignored !== '') response.set(IGNORED_FIELDS, ignored);
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
