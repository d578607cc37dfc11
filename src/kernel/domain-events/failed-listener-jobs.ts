import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { failedJobsWithKind } from '../jobs';
import { DomainEventKinds } from './domain-event-kinds';

/** A listener's job that failed at least once and has not succeeded since. */
export interface FailedListenerJob {
  readonly id: string;
  readonly listener: string;
  readonly kind: string;
  /** `dead` ones are not tried again. */
  readonly state: 'retrying' | 'dead';
  readonly attempts: number;
  readonly max_attempts: number;
  readonly last_error: string;
  /** When the event happened. */
  readonly since: string;
  /** Null for a dead one. */
  readonly next_attempt_at: string | null;
}

/** Reads what listeners after the commit have failed to do, over all replicas. */
@Injectable()
export class FailedListenerJobs {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly kinds: DomainEventKinds,
  ) {}

  /** Oldest first, dead and retrying; at most 1000. */
  async list(): Promise<FailedListenerJob[]> {
    const rows = await failedJobsWithKind(this.database, this.kinds.names);
    return rows.map(({ id, name, kind, attempts, maxAttempts, lastError, createdAt, runAt }) => {
      const isDead = attempts >= maxAttempts;
      return {
        id,
        listener: name,
        kind,
        state: isDead ? 'dead' : 'retrying',
        attempts,
        max_attempts: maxAttempts,
        last_error: lastError,
        since: createdAt.toISOString(),
        next_attempt_at: isDead ? null : runAt.toISOString(),
      };
    });
  }
}
