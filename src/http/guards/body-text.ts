import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { validatedRequest } from './request-validation';

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
