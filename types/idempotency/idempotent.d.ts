import { type IdempotencyRules } from './idempotency-rules';
/** Lets callers repeat an operation with the same `Idempotency-Key` without doing it twice. */
export declare function Idempotent(rules?: IdempotencyRules): MethodDecorator;
