import { Injectable } from '@nestjs/common';
import { IdempotencyStore } from '../../../kernel/idempotency';
import {
  type Counts,
  type ErasureRun,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../personal-data';

/** Answers to a person's requests, which are kept for repetitions: they have what was asked for in them. */
@Injectable()
export class KernelRecords implements PersonalPart {
  readonly name = 'answers';

  constructor(
    private readonly answers: IdempotencyStore,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  count(): Promise<Counts> {
    return Promise.resolve({});
  }

  async erase({ userId, ofAccount }: PersonalScope, run: ErasureRun): Promise<void> {
    await (ofAccount ? this.answers.forget(userId) : this.answers.forgetAnswers(userId));
    await run.done(this.name);
  }
}
