import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './shared-answers';

type Components = NonNullable<OpenAPIObject['components']>;
type Headers = NonNullable<Components['headers']>;

const RETRY_AFTER = { description: 'Seconds until a repetition makes sense.', schema: { type: 'integer' } };

/** The headers of answers that the document names, for its components. */
export const ANSWER_HEADERS: Headers = {
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
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods of the path.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  'Idempotency-Replayed': {
    description: 'Present when the answer is that of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
};

/** Names the headers of each answer of an operation; those it declares itself stay. */
export function describeHeaders({ responses, parameters = [] }: Operation): void {
  const isIdempotent = parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key');
  for (const [status, answer] of Object.entries(responses)) {
    if (answer === undefined || '$ref' in answer) continue;
    answer.headers = { ...headersOf(status, isIdempotent), ...answer.headers };
  }
}

function headersOf(status: string, isIdempotent: boolean): Headers {
  const header = (name: string): Headers[string] => ({ $ref: `#/components/headers/${name}` });
  const always = { 'X-Request-Id': header('X-Request-Id') };
  if (status === '401') return { ...always, 'WWW-Authenticate': header('WWW-Authenticate') };
  if (status === '405') return { ...always, Allow: header('Allow') };
  if (status === '429' || status === '503') return { ...always, 'Retry-After': header('Retry-After') };
  if (!isIdempotent) return always;
  if (status === '409') return { ...always, 'Retry-After': header('Retry-After-Optional') };
  if (status.startsWith('2')) return { ...always, 'Idempotency-Replayed': header('Idempotency-Replayed') };
  return always;
}
