import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CheckedRequest, ParsedBody, ValidationIssue } from '../../validation';
import { readBody } from '../body/read-body';
import { isForm, parseForm } from '../body/takes-forms';
import { UnsupportedEncodingError } from '../errors/http.errors';
import { queryStringOf } from './authentication.guard';
import { type RouteDeclaration, headerIssues } from './route-declarations';

/** The result of validating a request, and the body it was read from; undefined on a route without one. */
export interface ValidatedRequest extends CheckedRequest {
  readonly body: ParsedBody | undefined;
}

const VALIDATED = Symbol('validated');

declare module 'http' {
  interface IncomingMessage {
    [VALIDATED]?: ValidatedRequest;
  }
}

/** The result of validating a request; undefined before the guards have run. */
function validatedRequest(request: IncomingMessage): ValidatedRequest | undefined {
  return request[VALIDATED];
}

/** Validates each request once, for the organization guard and the validation guard. */
@Injectable()
export class RequestValidation {
  /**
   * Reads the body where the route declares one, and validates path, query, headers and body.
   * @returns typed values, or every error; at once where there is no body to read
   * @throws UnsupportedEncodingError, BodyTooLargeError, BodyIncompleteError, BodyParseError; ValidationError for malformed JSON
   */
  validate(request: Request, route: RouteDeclaration): ValidatedRequest | Promise<ValidatedRequest> {
    const known = validatedRequest(request);
    if (known) return known;
    if (!route.plan.hasBody) return check(request, route, undefined);
    return readAndParseBody(request, route).then((body) => check(request, route, body));
  }
}

function check(request: Request, route: RouteDeclaration, body: ParsedBody | undefined): ValidatedRequest {
  const { values, issues } = route.plan.check({
    params: request.params,
    rawQuery: queryStringOf(request.originalUrl),
    headers: request.headers,
    body,
  });
  const tooLong = headerIssues(route.headerLengths, request.headers);
  const result = { values, issues: inOrder(issues, tooLong), body };
  request[VALIDATED] = result;
  return result;
}

async function readAndParseBody(
  request: Request,
  { plan, bodyLimit, takesForms }: RouteDeclaration,
): Promise<ParsedBody> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') throw new UnsupportedEncodingError();
  const bytes = await readBody(request, bodyLimit);
  const type = request.headers['content-type'];
  return takesForms && isForm(type) ? parseForm(bytes) : plan.parseBody(bytes, type);
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
