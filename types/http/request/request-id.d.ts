import 'pino-http';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
/**
 * Gives the request its id, the caller's where it is acceptable, and answers with it
 * (docs/contract.md#request-ids).
 */
export declare function assignRequestId(request: Request, response: Response, next: NextFunction): void;
/** Gives the request its id, unless it has one. @returns the id */
export declare function giveRequestId(request: IncomingMessage): string;
