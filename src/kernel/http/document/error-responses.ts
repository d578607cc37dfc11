import { getSchemaPath, ApiResponse } from '@nestjs/swagger';
import { HTTPValidationError, ValidationError } from '../../validation';
import type { Operation, SharedResponses } from './shared-responses';
import { applyDecorators } from '@nestjs/common';
import { type AppError, isRecord, OAuthError } from '../../common';

/** A response as Swagger UI shows it in the list of an operation's examples. */
interface ErrorExample {
  readonly value: unknown;
}

const ERROR_ID = '0b9c1f1e-6c39-4b5d-9c53-6f0d2c7a4d11';

/** The body of an error, by its code. */
function exampleOf(error: AppError): [code: string, example: ErrorExample] {
  if (error instanceof ValidationError) {
    const code = error.issues[0]?.type ?? error.code;
    return [code, { value: JSON.parse(error.toJsonText()) as unknown }];
  }
  if (error instanceof OAuthError) return [error.code, { value: error.toBody() }];
  const body = { detail: error.message, code: error.code };
  const value = error.status === 500 ? { ...body, error_id: ERROR_ID } : body;
  return [error.code, { value }];
}

/** Whether a response lists validation errors, instead of one error. */
function isIssueList({ value }: ErrorExample): boolean {
  return typeof value === 'object' && value !== null && 'detail' in value && Array.isArray(value.detail);
}

/** Whether a response has the fields of OAuth's errors. */
function isOfOAuth({ value }: ErrorExample): boolean {
  return isRecord(value) && 'error' in value;
}

/**
 * Documents errors of an operation beyond those every operation of its kind has. What several decorators say
 * of one status is put together.
 * @param responses status to the sentence that says when it is answered
 * @param errors an example of every code, of one of these statuses
 */
export function ApiErrors(
  responses: Readonly<Record<number, string>>,
  ...errors: readonly AppError[]
): MethodDecorator {
  const undocumented = errors.find(({ status }) => responses[status] === undefined);
  if (undocumented)
    throw new Error(`Status ${undocumented.status} (${undocumented.code}) has no description.`);
  return applyDecorators(
    ...Object.entries(responses).map(([status, description]) => {
      const examples = errors.filter((error) => error.status === Number(status)).map(exampleOf);
      return ApiResponse({
        status: Number(status),
        description,
        schema: {},
        examples: Object.fromEntries(examples.map(([code, { value }]) => [code, { summary: code, value }])),
      });
    }),
  );
}

type Responses = Operation['responses'];
type ResponseObject = Exclude<NonNullable<Responses[string]>, { $ref: string }>;

/** The schema of every error but a validation error, for the document's components. */
export const ERROR_BODY = {
  type: 'object',
  title: 'ErrorBody',
  description: 'What every error but 422 answers.',
  required: ['detail', 'code'],
  properties: {
    detail: {
      type: 'string',
      description: 'One sentence for people.',
      example: 'The service failed to answer this request.',
    },
    code: {
      type: 'string',
      description: 'A name for programs; see the examples of each operation.',
      example: 'internal_error',
    },
    error_id: {
      type: 'string',
      format: 'uuid',
      description: 'With a 500: the id the log knows it by.',
      example: '0b9c1f1e-6c39-4b5d-9c53-6f0d2c7a4d11',
    },
  },
};

/** The schema of errors that also have OAuth's fields, for the document's components. */
export const OAUTH_ERROR_BODY = {
  type: 'object',
  title: 'OAuthErrorBody',
  description: 'What operations of OAuth answer: the fields of its errors beside those of all errors.',
  required: ['error', 'error_description', 'detail', 'code'],
  properties: {
    error: { type: 'string', description: 'The same as `code`.', example: 'slow_down' },
    error_description: { type: 'string', description: 'The same as `detail`.', example: 'Ask less often.' },
    interval: {
      type: 'integer',
      description: 'With `slow_down`: the seconds between two calls from here on.',
      example: 10,
    },
    detail: ERROR_BODY.properties.detail,
    code: ERROR_BODY.properties.code,
  },
};

/** Adds errors to those of an operation, in the order of declaration. */
export function addResponses(operation: Operation, { responses, errors }: SharedResponses): void {
  for (const [status, description] of Object.entries(responses)) {
    const response = responseOf(operation.responses, status, description);
    const added = errors.filter((error) => error.status === Number(status)).map(exampleOf);
    response.content = jsonOf({ ...examplesOf(response), ...Object.fromEntries(added) });
  }
}

/** Gives errors their schema, taken from their examples, whatever the operation produces otherwise. */
export function shapeErrors({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (status < '400' || response === undefined || '$ref' in response) continue;
    const examples = examplesOf(response);
    if (Object.keys(examples).length > 0) response.content = jsonOf(examples);
  }
}

function responseOf(responses: Responses, status: string, description: string): ResponseObject {
  const known = responses[status];
  if (known !== undefined && !('$ref' in known)) {
    known.description = [known.description, description].join('\n\n');
    return known;
  }
  const made: ResponseObject = { description };
  responses[status] = made;
  return made;
}

function examplesOf({ content = {} }: ResponseObject): Record<string, ErrorExample> {
  const found: Record<string, ErrorExample> = {};
  for (const { examples = {} } of Object.values(content))
    for (const [code, example] of Object.entries(examples))
      if ('value' in example) found[code] = { value: example.value as unknown };
  return found;
}

function jsonOf(examples: Readonly<Record<string, ErrorExample>>): NonNullable<ResponseObject['content']> {
  const all = Object.values(examples);
  const kinds = [
    ...(all.some(isOfOAuth) ? [{ $ref: '#/components/schemas/OAuthErrorBody' }] : []),
    ...(all.some((one) => !isIssueList(one) && !isOfOAuth(one))
      ? [{ $ref: '#/components/schemas/ErrorBody' }]
      : []),
    ...(all.some(isIssueList) ? [{ $ref: getSchemaPath(HTTPValidationError) }] : []),
  ];
  const [only] = kinds;
  const schema = kinds.length === 1 && only !== undefined ? only : { anyOf: kinds };
  return { 'application/json': { schema, examples } };
}
