import type { NextFunction, Request, Response } from 'express';
/** Refuses a request of HTTP/1.1 without `Host`, as the protocol demands. */
export declare function requireHost(request: Request, _response: Response, next: NextFunction): void;
