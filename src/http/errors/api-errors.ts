import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

/**
 * Documents errors of an operation beyond those every operation of its kind has.
 * @param answers status to the sentence that says when it is answered
 */
export function ApiErrors(answers: Readonly<Record<number, string>>): MethodDecorator {
  return applyDecorators(
    ...Object.entries(answers).map(([status, description]) =>
      ApiResponse({
        status: Number(status),
        description,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
      }),
    ),
  );
}
