import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
/** Of a repeated header the first one counts, as for the clients of the modelled framework. */
export declare function keepFirstHeaders(request: Request, _response: Response, next: NextFunction): void;
/** As {@link keepFirstHeaders}, for a request that goes past Express. */
export declare function keepFirstOwnHeaders(request: IncomingMessage): void;
