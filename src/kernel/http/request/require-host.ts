import type { NextFunction, Request, Response } from 'express';
import { MalformedRequestError } from '../errors/http.errors';

/** Refuses a request of HTTP/1.1 without `Host`, as the protocol demands. */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const isMissing = request.headers.host === undefined && request.httpVersion === '1.1';
  next(isMissing ? new MalformedRequestError() : undefined);
}
