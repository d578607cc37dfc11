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

/** 503 with `Retry-After`: a dependency is unavailable, and the same request may succeed later. */
export class ServiceUnavailableError extends AppError {
  constructor(detail: string, code = 'service_unavailable', retryAfterSeconds = 1, options?: ErrorOptions) {
    super(503, code, detail, { 'Retry-After': String(retryAfterSeconds) }, options);
  }
}
