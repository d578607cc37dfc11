/**
 * An error reported to the caller: a status, a machine-readable code and one sentence
 * (docs/contract.md#errors). Features declare theirs in `<module>.errors.ts`; nothing else of an error ever
 * reaches a response.
 */
export class AppError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.name = new.target.name;
  }

  /** Whether the requested change may have been made in spite of the error. */
  get mayHaveTakenEffect(): boolean {
    return false;
  }

  /** The JSON body of the response. */
  toBody(): unknown {
    return { detail: this.message, code: this.code };
  }
}

/** An {@link AppError} with a fixed message; it takes a cause for the log. */
export type FixedError = new (options?: ErrorOptions) => AppError;

/** Declares an error whose status, code, sentence and headers are fixed. @returns its class, to throw and to recognize it */
export function appError(
  status: number,
  code: string,
  detail: string,
  headers?: Readonly<Record<string, string>>,
): FixedError {
  const Fixed = class extends AppError {
    constructor(options?: ErrorOptions) {
      super(status, code, detail, headers, options);
    }
  };
  return Object.defineProperty(Fixed, 'name', { value: code });
}

/** 503 with `Retry-After`: a dependency is unavailable, and the same request may succeed later. */
export class ServiceUnavailableError extends AppError {
  constructor(detail: string, code = 'service_unavailable', retryAfterSeconds = 1, options?: ErrorOptions) {
    super(503, code, detail, { 'Retry-After': String(retryAfterSeconds) }, options);
  }
}
