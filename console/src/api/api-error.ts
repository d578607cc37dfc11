/** Nothing answers at the address of the service. */
export class OfflineError extends Error {}

/** Something wrong with one field of a request. */
export interface FieldError {
  /** Where it is: `body.role`, `query.page`. */
  readonly field: string;
  readonly message: string;
}

/** A response that says why something was not done. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** One word for programs; empty for a response that has none. */
    readonly code: string,
    message: string,
    /** By which the operator finds it in the log. */
    readonly requestId: string | null,
    readonly fields: readonly FieldError[] = [],
  ) {
    super(message);
  }

  /** What a form finds wrong with one of its fields, before it asks the service. */
  static ofField(field: string, message: string): ApiError {
    return new ApiError(0, '', message, null, [{ field, message }]);
  }

  /** @param body as it was parsed: the service's own errors have `detail`, and mostly `code` */
  static of(response: Response, body: unknown): ApiError {
    const { detail, code } = isRecord(body) ? body : {};
    const fields = Array.isArray(detail) ? detail.flatMap(fieldErrorOf) : [];
    const sentence = fields.length > 0 ? fields.map(({ message }) => message).join(' ') : detail;
    return new ApiError(
      response.status,
      typeof code === 'string' ? code : '',
      typeof sentence === 'string' ? sentence : response.statusText,
      response.headers.get('x-request-id'),
      fields,
    );
  }
}

/** Whether an error is said of fields of a form, and needs not be said beside them. */
export function isOfFields(error: Error): boolean {
  return error instanceof ApiError && error.fields.length > 0;
}

function fieldErrorOf(problem: unknown): FieldError[] {
  if (!isRecord(problem) || typeof problem['msg'] !== 'string' || !Array.isArray(problem['loc'])) return [];
  return [{ field: problem['loc'].join('.'), message: problem['msg'] }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
