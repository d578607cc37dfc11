import { type FaultResponse } from '../errors/validation.errors';
/** A parsed body: its text, and its value if it is JSON. */
export declare class ParsedBody {
    readonly text: string;
    readonly value: unknown;
    readonly isJson: boolean;
    readonly isExact: boolean;
    private exactly;
    /**
     * @param text of the body, decoded
     * @param value undefined for a body that is absent
     * @param isJson false for a body of another content type: then the value is its text
     * @param isExact whether the value was already parsed without loss
     */
    constructor(text: string, value: unknown, isJson: boolean, isExact: boolean);
    /** The value parsed without loss; only needed when a fault repeats part of it. */
    exactValue(): unknown;
}
/**
 * Reads the bytes of a body as the content type says.
 * @param response how a fault is answered on this route
 * @throws ValidationError with a single `json_invalid`, BodyParseError
 */
export declare function parseBody(bytes: Buffer, contentType: string | undefined, response?: FaultResponse): ParsedBody;
