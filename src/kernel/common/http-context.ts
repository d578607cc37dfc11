import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** The request that a guard or a parameter is for: `switchToHttp` makes three functions each time it is called. */
export function requestOf(context: ExecutionContext): Request {
  return context.getArgByIndex<Request>(0);
}

/** The response to {@link requestOf}. */
export function responseOf(context: ExecutionContext): Response {
  return context.getArgByIndex<Response>(1);
}
