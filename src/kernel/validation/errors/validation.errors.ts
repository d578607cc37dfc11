import { AppError, appError } from '../../common';
import { writeJson } from '../json/write-json';

/** One entry of the body of a validation error, its keys in the order in which they are answered. */
export interface ValidationIssue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** What was sent; numbers in it may be `ExactNumber`s. */
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** How a handler answers errors: see `ValidationStatus` and `PlainErrors`. */
export interface ValidationResponse {
  readonly status: number;
  /** Entries carry `loc`, `msg` and `type` only. */
  readonly plain: boolean;
}

/** How many characters of JSON all `input`s of a response may take; beyond that, they are `null`. */
export const MAX_ECHO = 2 * 1024 * 1024;

/**
 * The request is well-formed but not valid: `{"detail": [...]}` with every error found
 * (docs/contract.md#validation-errors).
 */
export class ValidationError extends AppError {
  constructor(
    readonly issues: readonly ValidationIssue[],
    private readonly response: ValidationResponse = { status: 422, plain: false },
  ) {
    super(response.status, 'validation_failed', 'The request is not valid.');
  }

  override toBody(): unknown {
    const { plain } = this.response;
    return { detail: plain ? this.issues.map(({ loc, msg, type }) => ({ loc, msg, type })) : this.issues };
  }

  /** The JSON text of the response: unlike `toBody()` it repeats numbers as they were sent, and is bounded. */
  toJsonText(): string {
    let budget = MAX_ECHO;
    const entries = this.issues.map(({ type, loc, msg, input, ctx }) => {
      if (this.response.plain) return JSON.stringify({ loc, msg, type });
      const echo = writeJson(input, budget);
      budget = echo === undefined ? 0 : budget - echo.length;
      const parts = [
        `"type":${JSON.stringify(type)}`,
        `"loc":${JSON.stringify(loc)}`,
        `"msg":${JSON.stringify(msg)}`,
        `"input":${echo ?? 'null'}`,
      ];
      if (ctx) parts.push(`"ctx":${writeJson(ctx, MAX_ECHO) ?? '{}'}`);
      return `{${parts.join()}}`;
    });
    return `{"detail":[${entries.join()}]}`;
  }
}

/** 400: the body is not text, or nests too deeply to be parsed. */
export const BodyParseError = appError(400, 'body_unreadable', 'There was an error parsing the body');
