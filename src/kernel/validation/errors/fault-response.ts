import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FaultResponse } from './validation.errors';

const STATUS = 'validation:status';
const PLAIN = 'validation:plain';

/** Declares for the OpenAPI document which status faults are answered with. */
export const FAULT_STATUS = 'x-fault-status';

/** Faults of this handler's request are answered with another status than 422 (pending-messages: 400). */
export function ValidationStatus(status: 400 | 422): MethodDecorator {
  return applyDecorators(SetMetadata(STATUS, status), ApiExtension(FAULT_STATUS, status));
}

/** Faults of this handler's request are reported with `loc`, `msg` and `type` only (the event endpoint). */
export function PlainFaults(): MethodDecorator {
  return SetMetadata(PLAIN, true);
}

/** @param handler the method of the controller */
export function faultResponseOf(handler: object): FaultResponse {
  const status: unknown = Reflect.getMetadata(STATUS, handler);
  return {
    status: typeof status === 'number' ? status : 422,
    plain: Reflect.getMetadata(PLAIN, handler) === true,
  };
}
