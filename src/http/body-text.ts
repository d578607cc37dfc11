import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { keptBody } from './request-values';

/** Handler parameter: the text of the body as it came, on a route that declares one with `@Body()`. */
export const BodyText = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const body = keptBody(context.switchToHttp().getRequest<Request>());
  if (body === undefined) throw new Error('@BodyText needs a route that declares its @Body.');
  return body.text;
});
