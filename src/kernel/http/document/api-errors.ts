import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { exampleOf } from './error-examples';
import type { AppError } from '../../common';

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
