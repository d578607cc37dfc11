import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { ApiErrors, HeaderLimits } from '../http';
import {
  IDEMPOTENCY,
  IdempotencyGuard,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  type IdempotencyRules,
  MAX_KEY_LENGTH,
  OutcomeUnknownError,
} from './idempotency.guard';
import { doneOnce } from './once';

/** Lets callers repeat an operation with the same `Idempotency-Key` without doing it twice. */
export function Idempotent(rules: IdempotencyRules = {}): MethodDecorator {
  const hidden = rules.hides?.map((name) => `\`${name}\``).join(', ');
  return applyDecorators(
    doneOnce(),
    SetMetadata(IDEMPOTENCY, rules),
    HeaderLimits({ 'idempotency-key': MAX_KEY_LENGTH }),
    UseGuards(IdempotencyGuard),
    ApiErrors(
      {
        409: 'A request with this `Idempotency-Key` is worked on, or it is not known what became of it.',
        422: 'The `Idempotency-Key` came before with another body.',
      },
      new IdempotencyKeyInUseError(),
      new OutcomeUnknownError(),
      new IdempotencyKeyReusedError('0b8f3c52-start-of-the-week'),
    ),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      schema: { type: 'string', maxLength: MAX_KEY_LENGTH, examples: ['0b8f3c52-start-of-the-week'] },
      description: [
        'The same key and body within 24 hours get the same answer, with `Idempotency-Replayed: true`, and nothing is done twice.',
        'Only answers of status 2xx are kept. The key with another body is a 422 (`idempotency_key_reused`),',
        'while the first request is worked on a 409 (`idempotency_key_in_use`),',
        'and when it is not known what became of it a 409 (`outcome_unknown`).',
        ...(hidden === undefined ? [] : [`A replay has null for ${hidden}.`]),
      ].join(' '),
    }),
  );
}
