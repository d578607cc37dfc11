import { IncomingMessage, ServerResponse } from 'node:http';
/** Sets the headers by which browsers are kept from doing harm with responses of the service. */
export declare const securityHeaders: (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void;
/** The headers that {@link securityHeaders} sets, the same on every response. */
export declare function allSecurityHeaders(): Readonly<Record<string, string>>;
