import type { Request } from 'express';
import type { CheckedRequest, ParsedBody } from '../../validation';
import type { RouteDeclaration } from './route-declarations';
/** The result of validating a request, and the body it was read from; undefined on a route without one. */
export interface ValidatedRequest extends CheckedRequest {
    readonly body: ParsedBody | undefined;
}
/** The result of validating a request; undefined before the guards have run. */
export declare function validatedRequest(request: object): ValidatedRequest | undefined;
/** Validates each request once, for the organization guard and the validation guard. */
export declare class RequestValidation {
    /**
     * Reads the body where the route declares one, and validates path, query, headers and body.
     * @returns typed values, or every fault
     * @throws UnsupportedEncodingError, BodyTooLargeError, BodyIncompleteError, BodyParseError; ValidationError for malformed JSON
     */
    validate(request: Request, route: RouteDeclaration): Promise<ValidatedRequest>;
}
