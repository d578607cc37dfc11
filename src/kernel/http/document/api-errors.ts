import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { AppError } from '../../common';
import { ValidationError } from '../../validation';

/** A response as Swagger UI shows it in the list of an operation's examples. */
export interface ErrorExample {
  readonly value: unknown;
}

const ERROR_ID = '0b9c1f1e-6c39-4b5d-9c53-6f0d2c7a4d11';

/** The body of an error, by its code. */
export function exampleOf(error: AppError): [code: string, example: ErrorExample] {
  if (error instanceof ValidationError) {
    const code = error.faults[0]?.type ?? error.code;
    return [code, { value: JSON.parse(error.toJsonText()) as unknown }];
  }
  const body = { detail: error.message, code: error.code };
  const value = error.status === 500 ? { ...body, error_id: ERROR_ID } : body;
  return [error.code, { value }];
}

/** Whether a response lists faults of the request, instead of one error. */
export function isFaultList({ value }: ErrorExample): boolean {
  return typeof value === 'object' && value !== null && 'detail' in value && Array.isArray(value.detail);
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
