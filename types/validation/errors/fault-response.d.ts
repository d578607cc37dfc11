import type { FaultResponse } from './validation.errors';
/** Declares for the OpenAPI document which status faults are answered with. */
export declare const FAULT_STATUS = "x-fault-status";
/** Faults of this handler's request are answered with another status than 422 (pending-messages: 400). */
export declare function ValidationStatus(status: 400 | 422): MethodDecorator;
/** Faults of this handler's request are reported with `loc`, `msg` and `type` only (the event endpoint). */
export declare function PlainFaults(): MethodDecorator;
/** @param handler the method of the controller */
export declare function faultResponseOf(handler: object): FaultResponse;
