import { type Server } from 'node:http';
/**
 * Answers what Node's parser refuses before there is a request (malformed, too slow, headers too large) in the form of
 * all errors, with a request id (docs/contract.md#error-bodies). By default Node answers these without a body.
 */
export declare function respondToParserErrors(server: Server): void;
