import type { OpenAPIObject } from '@nestjs/swagger';
import { isForwarded } from './forwarded-operations';
import { isClosed, type Operation } from './shared-responses';

type Components = NonNullable<OpenAPIObject['components']>;
type Headers = NonNullable<Components['headers']>;

const OPTIONAL = '-Optional';
const RETRY_AFTER = { description: 'Seconds until a repetition makes sense.', schema: { type: 'integer' } };

const WWW_AUTHENTICATE = {
  description: 'How to authenticate.',
  schema: { type: 'string', enum: ['Bearer'] },
  example: 'Bearer',
};
const ALLOW = { description: 'The methods of the path.', schema: { type: 'string' }, example: 'GET, HEAD' };

/** The headers of answers that the document names, for its components. */
export const RESPONSE_HEADERS: Headers = {
  'X-Request-Id': {
    description: 'Id of the request, by which the log knows it: the one sent, if acceptable, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '2c6b0f9e-5d6f-4a53-8a53-0d8c0f6f8f3e',
  },
  'Retry-After': { ...RETRY_AFTER, required: true, example: 2 },
  'Retry-After-Optional': {
    ...RETRY_AFTER,
    description: `${RETRY_AFTER.description} Absent where waiting does not help.`,
    example: 1,
  },
  'WWW-Authenticate': { ...WWW_AUTHENTICATE, required: true },
  'WWW-Authenticate-Optional': {
    ...WWW_AUTHENTICATE,
    description: `${WWW_AUTHENTICATE.description} Absent where an agent server answers.`,
  },
  Allow: { ...ALLOW, required: true },
  'Allow-Optional': {
    ...ALLOW,
    description: `${ALLOW.description} Absent where an agent server answers without.`,
  },
  'RateLimit-Limit': {
    description: 'How many such requests of the key are answered in a minute.',
    schema: { type: 'integer' },
    example: 30_000,
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer' },
    example: 29_999,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the minute is over.',
    schema: { type: 'integer' },
    example: 60,
  },
  'X-Ignored-Fields': {
    description:
      'Names of the fields of the request that nothing reads, if there are any: `, ` between them, `.` between the steps of a path, other characters escaped as in URLs; `...` ends a list that is too long.',
    schema: { type: 'string' },
    example: 'initial_mesage, plugins.0.reff',
  },
  'Idempotency-Replayed': {
    description: 'Present when the answer is that of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
};

/** Names the headers of each response of an operation; those it declares itself stay. */
export function describeHeaders(operation: Operation): void {
  const { responses, parameters = [] } = operation;
  const isIdempotent = parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key');
  for (const [status, response] of Object.entries(responses)) {
    if (response === undefined || '$ref' in response) continue;
    const limits = isClosed(operation) && isCounted(status) ? LIMIT_HEADERS : {};
    const own = headersOf(status, isIdempotent);
    response.headers = { ...(isForwarded(operation) ? optional(own) : own), ...limits, ...response.headers };
  }
}

function named(name: string): Headers[string] {
  return { $ref: `#/components/headers/${name}` };
}

/** What another server answers need not have the headers of the service's own errors, but for the request's id. */
function optional(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      name + OPTIONAL in RESPONSE_HEADERS ? named(name + OPTIONAL) : header,
    ]),
  );
}

const LIMIT_HEADERS: Headers = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [name, named(name)]),
);

/** What is answered before a request is counted has no headers of limits. */
function isCounted(status: string): boolean {
  return status !== '401' && status !== '405';
}

function headersOf(status: string, isIdempotent: boolean): Headers {
  const always = { 'X-Request-Id': named('X-Request-Id') };
  if (status === '401') return { ...always, 'WWW-Authenticate': named('WWW-Authenticate') };
  if (status === '405') return { ...always, Allow: named('Allow') };
  if (status === '429' || status === '503') return { ...always, 'Retry-After': named('Retry-After') };
  if (!isIdempotent) return always;
  if (status === '409') return { ...always, 'Retry-After': named('Retry-After-Optional') };
  if (status.startsWith('2')) return { ...always, 'Idempotency-Replayed': named('Idempotency-Replayed') };
  return always;
}
