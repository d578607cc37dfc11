import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { JobHandlers, type RunningJob } from '../../../kernel/jobs';
import { FaultPoints } from '../../../kernel/leases';
import { type ErasureRun, PersonalData, type PersonalScope } from '../../personal-data';
import { Erasure } from './erasure.entity';
import { ERASURE_JOB, erasurePayload } from './erasure-job';
import { ErasureRecord } from './erasure-record';

/**
 * Does erasures: every part in turn, each in batches that commit. Whatever dies in between, the job runs again from the beginning,
 * and finds what is left.
 */
@Injectable()
export class ErasureWorker {
  constructor(
    @InjectRepository(Erasure) private readonly erasures: Repository<Erasure>,
    private readonly personal: PersonalData,
    private readonly record: ErasureRecord,
    private readonly events: DomainEvents,
    private readonly faultPoints: FaultPoints,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(ERASURE_JOB, erasurePayload, ({ erasureId }, job) => this.run(erasureId, job), 'slow');
  }

  private async run(id: string, job: RunningJob): Promise<void> {
    const erasure = await this.erasures.findOneBy({ id, state: 'working' });
    if (erasure === null) return;
    const { userId, orgId, ofAccount, email } = erasure;
    const scope: PersonalScope = { userId, orgId, ofAccount, email };
    const parts = this.personal.parts();
    for (const part of parts) await part.end?.(scope, this.runOf(job, `end ${part.name}`));
    for (const part of parts) await part.erase(scope, this.runOf(job, `erase ${part.name}`));
    await this.finish(erasure);
    await this.faultPoints.reached('recorded', 'finish');
  }

  private runOf(job: RunningJob, step: string): ErasureRun {
    return {
      done: async (batch) => {
        await this.faultPoints.reached('committed', `${step}: ${batch}`);
        job.signal.throwIfAborted();
        job.lease.assertHeld();
      },
    };
  }

  private async finish(erasure: Erasure): Promise<void> {
    await this.erasures.manager.transaction(async (transaction) => {
      const { id, userId, orgId, ofAccount } = erasure;
      const done = { state: 'done', email: null, finishedAt: this.clock.now() } as const;
      const rows = transaction.withRepository(this.erasures);
      // Of two runs, one ends it.
      const { affected } = await rows.update({ id, state: 'working' }, done);
      if (affected !== 1) return;
      await this.record.erased(transaction, Object.assign(erasure, done));
      await this.events.publish(transaction, {
        kind: 'person.erased',
        org_id: orgId,
        user_id: userId,
        erasure_id: id,
        of_account: ofAccount,
      });
    });
  }
}
