import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CheckedRequest, ParsedBody, ValidationIssue } from '../../validation';
import { readBody } from '../body/read-body';
import { UnsupportedEncodingError } from '../errors/http.errors';
import { queryStringOf } from './authentication.guard';
import { type RouteDeclaration, headerIssues } from './route-declarations';

/** The result of validating a request, and the body it was read from; undefined on a route without one. */
interface ValidatedRequest extends CheckedRequest {
  readonly body: ParsedBody | undefined;
}

const results = new WeakMap<object, ValidatedRequest>();

/** The result of validating a request; undefined before the guards have run. */
function validatedRequest(request: object): ValidatedRequest | undefined {
  return results.get(request);
}

/** Validates each request once, for the organization guard and the validation guard. */
@Injectable()
export class RequestValidation {
  /**
   * Reads the body where the route declares one, and validates path, query, headers and body.
   * @returns typed values, or every error
   * @throws UnsupportedEncodingError, BodyTooLargeError, BodyIncompleteError, BodyParseError; ValidationError for malformed JSON
   */
  async validate(request: Request, route: RouteDeclaration): Promise<ValidatedRequest> {
    const known = results.get(request);
    if (known) return known;
    const body = route.plan.hasBody ? await readAndParseBody(request, route) : undefined;
    const { values, issues } = route.plan.check({
      params: request.params,
      rawQuery: queryStringOf(request.originalUrl),
      headers: request.headers,
      body,
    });
    const tooLong = headerIssues(route.headerLengths, request.headers);
    const result = { values, issues: inOrder(issues, tooLong), body };
    results.set(request, result);
    return result;
  }
}

async function readAndParseBody(
  request: Request,
  { plan, bodyLimit }: RouteDeclaration,
): Promise<ParsedBody> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new UnsupportedEncodingError();
  const bytes = await readBody(request, bodyLimit);
  return plan.parseBody(bytes, request.headers['content-type']);
}

/** Errors of headers come after those of path and query, and before those of the body. */
function inOrder(
  issues: readonly ValidationIssue[],
  ofHeaders: readonly ValidationIssue[],
): readonly ValidationIssue[] {
  if (ofHeaders.length === 0) return issues;
  const isOfBody = ({ loc }: ValidationIssue): boolean => loc[0] === 'body';
  return [...issues.filter((issue) => !isOfBody(issue)), ...ofHeaders, ...issues.filter(isOfBody)];
}

/** Handler parameter: the unmodified text of the body, on a route that declares one with `@Body()`. */
export const BodyText = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  requestBodyText(context.switchToHttp().getRequest<Request>()),
);

/** The unmodified text of a request's body, on a route that declares one with `@Body()`. */
export function requestBodyText(request: Request): string {
  const body = validatedRequest(request)?.body;
  if (body === undefined) throw new Error('The text of a body needs a route that declares its @Body.');
  return body.text;
}
