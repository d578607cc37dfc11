import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { HTTPValidationError } from './validation-error.dto';
import type { FaultAnswer } from './validation.errors';

const STATUS = 'validation:status';
const PLAIN = 'validation:plain';

/** Faults of this handler's request are answered with another status than 422 (pending-messages: 400). */
export function ValidationStatus(status: 400 | 422): MethodDecorator {
  return applyDecorators(
    SetMetadata(STATUS, status),
    ApiExtraModels(HTTPValidationError),
    ApiResponse({
      status,
      description: 'The request is not valid: an `HTTPValidationError`; else an `ErrorBody`.',
      content: {
        'application/json': {
          schema: {
            anyOf: [{ $ref: getSchemaPath(HTTPValidationError) }, { $ref: '#/components/schemas/ErrorBody' }],
          },
        },
      },
    }),
  );
}

/** Faults of this handler's request are reported with `loc`, `msg` and `type` only (the event endpoint). */
export function PlainFaults(): MethodDecorator {
  return SetMetadata(PLAIN, true);
}

/** @param handler the method of the controller */
export function faultAnswerOf(handler: object): FaultAnswer {
  const status: unknown = Reflect.getMetadata(STATUS, handler);
  return {
    status: typeof status === 'number' ? status : 422,
    plain: Reflect.getMetadata(PLAIN, handler) === true,
  };
}
