import type { Request, Response } from 'express';
/** Sets the headers of all pages of the web interface. */
export declare function setPageHeaders(request: Request, response: Response, policy: string): void;
/** Removes headers that the browser would ignore with a warning. */
export declare function removeIgnoredHeaders(request: Request, response: Response): void;
