import { BodyParseError, ValidationError, type ValidationResponse } from '../errors/validation.errors';
import { isJsonContentType } from '../json/content-type';
import { decodeJsonBytes } from '../json/decode';
import { JsonLimitError, JsonSyntaxError } from '../json/json-errors';
import { readExactJson } from '../json/read-exact';
import { mayBreakLimits } from '../json/raw-json';

/** A parsed body: its text, and its value if it is JSON. */
export class ParsedBody {
  private exactly: { readonly value: unknown } | undefined;

  /**
   * @param text of the body, decoded
   * @param value undefined for a body that is absent
   * @param isJson false for a body of another content type: then the value is its text
   * @param isExact whether the value was already parsed without loss
   */
  constructor(
    readonly text: string,
    readonly value: unknown,
    readonly isJson: boolean,
    readonly isExact: boolean,
  ) {}

  /** The value parsed without loss; only needed when an error repeats part of it. */
  exactValue(): unknown {
    if (this.isExact || !this.isJson) return this.value;
    this.exactly ??= { value: readExactJson(this.text) };
    return this.exactly.value;
  }
}

/**
 * Reads the bytes of a body as the content type says.
 * @param response how an error is answered on this route
 * @throws ValidationError with a single `json_invalid`, BodyParseError
 */
export function parseBody(
  bytes: Buffer,
  contentType: string | undefined,
  response?: ValidationResponse,
): ParsedBody {
  if (bytes.length === 0) return new ParsedBody('', undefined, false, true);
  if (!isJsonContentType(contentType)) {
    const text = bytes.toString('utf8');
    return new ParsedBody(text, text, false, true);
  }
  const text = decodeJsonBytes(bytes);
  if (text === null) throw new BodyParseError();
  const quick = mayBreakLimits(text) ? undefined : parseNatively(text);
  if (quick !== undefined) return new ParsedBody(text, quick, true, false);
  try {
    return new ParsedBody(text, readExactJson(text), true, true);
  } catch (error) {
    if (error instanceof JsonLimitError) throw new BodyParseError();
    if (error instanceof JsonSyntaxError) throw new ValidationError([jsonInvalid(error)], response);
    throw error;
  }
}

function parseNatively(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonInvalid(error: JsonSyntaxError): ValidationError['issues'][number] {
  return {
    type: 'json_invalid',
    loc: ['body', error.position],
    msg: 'JSON decode error',
    input: {},
    ctx: { error: error.reason },
  };
}
