import { type HttpException, HttpStatus } from '@nestjs/common';
import { AppError, ServiceUnavailableError, appError } from '../../common';
import { unavailableDetail } from '../../database';

/**
 * 413: the body is larger than the route takes (docs/contract.md#body-limits). The rest of it is dropped.
 */
export class BodyTooLargeError extends AppError {
  constructor(limitBytes: number) {
    super(413, 'body_too_large', `The body may have at most ${limitBytes} bytes.`, { Connection: 'close' });
  }
}

/** 415: the body is compressed, or encoded in another way. */
export const UnsupportedEncodingError = appError(
  415,
  'content_encoding_unsupported',
  'Bodies are taken without a Content-Encoding only.',
  {
    'Accept-Encoding': 'identity',
    Connection: 'close',
  },
);

/** 400: the request is not HTTP, or lacks what HTTP demands. */
export const MalformedRequestError = appError(400, 'request_malformed', 'This is not a request of HTTP.', {
  Connection: 'close',
});

/** 408: the headers or the body of the request did not come in time. */
export const RequestTimeoutError = appError(408, 'request_timeout', 'The request did not come in time.', {
  Connection: 'close',
});

/** 431: the headers of the request are too large together. */
export const HeadersTooLargeError = appError(
  431,
  'headers_too_large',
  'The headers of the request are too large.',
  { Connection: 'close' },
);

/** 400: the connection ended before the whole body came. */
export const BodyIncompleteError = appError(
  400,
  'body_incomplete',
  'The body ended before its announced length.',
);

/** 404: no operation has this path. */
export const UnknownPathError = appError(
  404,
  'path_not_found',
  'No operation of this service has this path.',
);

/** 405: the path exists, with other methods. */
export class MethodNotAllowedError extends AppError {
  constructor(allowed: readonly string[]) {
    super(405, 'method_not_allowed', `This path answers ${allowed.join(', ')} only.`, {
      Allow: allowed.join(', '),
    });
  }
}

/** 400: an accepted number that the database cannot store (docs/contract.md#values-that-cannot-be-stored). */
export const ValueOutOfRangeError = appError(
  400,
  'value_out_of_range',
  'A number in the request is larger than this service can store.',
);

/** 503: the database cannot be reached, is read-only or full. */
export class DatabaseUnavailableError extends ServiceUnavailableError {
  constructor(cause?: unknown) {
    super(unavailableDetail(cause), 'database_unavailable', 2, { cause });
  }
}

/** 500: the service failed to answer this request. */
export const InternalError = appError(500, 'internal_error', 'The service failed to answer this request.');

/** 413: what was asked for by its ids is too large for one response (docs/contract.md#response-limits). */
export const ResponseTooLargeError = appError(
  413,
  'answer_too_large',
  'These items have more than 16 MiB together; ask for fewer at once.',
);

/** 429: as many large responses are sent as may be at once (docs/contract.md#response-limits). */
export const TooManyLargeResponsesError = appError(
  429,
  'too_many_large_answers',
  'Too many large answers are being sent; try again later.',
  {
    'Retry-After': '5',
  },
);

/** 415: the body is not a form as browsers send it. */
export const NotAFormError = appError(
  415,
  'not_a_form',
  'The body has to be application/x-www-form-urlencoded.',
);

/** 503: the service is shutting down; another replica, or the next process, takes over. */
export class ServiceStoppingError extends ServiceUnavailableError {
  constructor() {
    super('The service stops; send the request again.', 'service_stopping', 2);
  }
}

/** What responses of a status have to carry, whoever answers them. */
const HEADERS_OF_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '1' },
};

/**
 * One of Nest's exceptions from the handler of an extension: its status and message, and as the code the name of the status, such
 * as `not_found` (docs/extending.md#errors).
 */
export class HandlerError extends AppError {
  constructor(exception: HttpException) {
    const status = exception.getStatus();
    // A number that is no status of HTTP has no name.
    const code = HttpStatus[status]?.toLowerCase() ?? 'error';
    super(status, code, exception.message, HEADERS_OF_STATUS[status], { cause: exception });
  }
}
