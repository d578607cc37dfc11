import { type Check } from '../errors/cursor';
import type { Model } from '../declaration/field-types';
import { type ParsedBody } from './parse-body';
import { ValidationError, type FaultResponse, type RequestFault } from '../errors/validation.errors';
/** What a handler declares about its request. */
export interface RequestShape {
    readonly params: Model | undefined;
    readonly query: Model | undefined;
    readonly headers: Model | undefined;
    readonly body: Check | undefined;
    readonly faultResponse: FaultResponse;
}
/** A request as the HTTP layer has it. */
export interface RawRequest {
    /** Path parameters, decoded. */
    readonly params: Readonly<Record<string, unknown>>;
    /** The text after the `?`, undecoded. */
    readonly rawQuery: string;
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    /** Undefined where the handler declares no body. */
    readonly body: ParsedBody | undefined;
}
/** The typed parts of a request: instances of the declared classes. */
export interface RequestValues {
    readonly params: object | undefined;
    readonly query: object | undefined;
    readonly headers: object | undefined;
    readonly body: unknown;
}
/** Either values or faults: with a fault, the values are not all there. */
export interface CheckedRequest {
    readonly values: RequestValues;
    readonly faults: readonly RequestFault[];
}
/**
 * Checks the requests of one handler: path, query, header and body together, in this order
 * (docs/decisions/0008-validation-of-our-own.md).
 */
export declare class RequestPlan {
    private readonly shape;
    private readonly params;
    private readonly query;
    private readonly headers;
    private readonly queryNames;
    constructor(shape: RequestShape);
    /** Whether the handler declares a body; any other body is left unread. */
    get hasBody(): boolean;
    /**
     * Reads the bytes of the body.
     * @throws ValidationError with a single `json_invalid`, BodyParseError
     */
    parseBody(bytes: Buffer, contentType: string | undefined): ParsedBody;
    /** Checks a whole request; never throws for its content. */
    check(request: RawRequest): CheckedRequest;
    /** The error that reports faults in the form of this handler. */
    error(faults: readonly RequestFault[]): ValidationError;
    private run;
    private checkBody;
}
