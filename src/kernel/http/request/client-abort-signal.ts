import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/** Handler parameter: an `AbortSignal` that says that the caller has gone before the response was sent. */
export const ClientAbortSignal = createParamDecorator(
  (_: unknown, context: ExecutionContext): AbortSignal => {
    const response = context.switchToHttp().getResponse<Response>();
    const gone = new AbortController();
    if (response.destroyed) gone.abort();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    return gone.signal;
  },
);
