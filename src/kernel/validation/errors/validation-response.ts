import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ValidationResponse } from './validation.errors';

const STATUS = 'validation:status';
const PLAIN = 'validation:plain';

/** Declares for the OpenAPI document which status errors are answered with. */
export const VALIDATION_STATUS = 'x-validation-status';

/** Errors of this handler's request are answered with another status than 422 (pending-messages: 400). */
export function ValidationStatus(status: 400 | 422): MethodDecorator {
  return applyDecorators(SetMetadata(STATUS, status), ApiExtension(VALIDATION_STATUS, status));
}

/** Errors of this handler's request are reported with `loc`, `msg` and `type` only (the event endpoint). */
export function PlainErrors(): MethodDecorator {
  return SetMetadata(PLAIN, true);
}

/** @param handler the method of the controller */
export function validationResponseOf(handler: object): ValidationResponse {
  const status: unknown = Reflect.getMetadata(STATUS, handler);
  return {
    status: typeof status === 'number' ? status : 422,
    plain: Reflect.getMetadata(PLAIN, handler) === true,
  };
}
