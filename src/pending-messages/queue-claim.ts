import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../common';
import { SETTINGS, type Settings } from '../config';

/** The queue belongs to a later run, or may: this one must neither send nor write any more. */
export class ClaimLostError extends Error {
  constructor() {
    super('The queue belongs to a later run.');
    this.name = 'ClaimLostError';
  }
}

/** A run's right to be the only one that delivers from a queue, prolonged while it lasts. */
export class QueueClaim {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly queueId: string,
    readonly fence: number,
    private readonly clock: Clock,
    private readonly lengthMs: number,
    private heldUntil: number,
  ) {}

  /** @param renew prolongs the claim in the database; false when it is lost */
  keepAlive(renew: () => Promise<boolean>, onError: (error: unknown) => void): void {
    this.timer = setInterval(() => {
      const askedAt = this.clock.monotonicMs();
      renew().then((renewed) => {
        this.heldUntil = renewed ? askedAt + this.lengthMs : -Infinity;
      }, onError);
    }, this.lengthMs / 3).unref();
  }

  /** To be called right before a write to a wire. @throws ClaimLostError */
  assertHeld(): void {
    if (this.clock.monotonicMs() >= this.heldUntil) throw new ClaimLostError();
  }

  /** Prolongs it no more. */
  end(): void {
    clearInterval(this.timer);
  }
}

/** What came of the wish to claim a queue; `held` tells until when another run has it, at most. */
export type ClaimAttempt =
  | { readonly kind: 'taken'; readonly claim: QueueClaim }
  | { readonly kind: 'held'; readonly until: Date }
  | { readonly kind: 'gone' };

/** Gives out claims: one run at a time delivers from a queue, and a dead one is replaced within a lease. */
@Injectable()
export class QueueClaims {
  private readonly logger = new Logger(QueueClaims.name);
  private readonly lengthMs: number;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.lengthMs = settings.JOB_LEASE_SECONDS * 1000;
  }

  /**
   * Claims a queue.
   * @param fence the run's fencing number: higher than those of all earlier runs
   * @param wakes whether a run that has the queue is told not to pause without another look
   * @returns `gone` when the queue is, or when a later run had it, which saw all that this one could
   */
  async take(queueId: string, fence: number, wakes: boolean): Promise<ClaimAttempt> {
    for (;;) {
      const askedAt = this.clock.monotonicMs();
      const [taken] = await this.database.query<[unknown[], number]>(
        `UPDATE message_queues
            SET fence = $2, claimed_until = now() + $3 * interval '1 millisecond', woken = false
          WHERE id = $1 AND fence < $2 AND (claimed_until IS NULL OR claimed_until < now()) RETURNING id`,
        [queueId, fence, this.lengthMs],
      );
      if (taken.length > 0) return { kind: 'taken', claim: this.begin(queueId, fence, askedAt) };
      const [held] = await this.database.query<[{ claimed_until: Date }[], number]>(
        `UPDATE message_queues SET woken = woken OR $3
          WHERE id = $1 AND fence < $2 AND claimed_until >= now() RETURNING claimed_until`,
        [queueId, fence, wakes],
      );
      if (held[0]) return { kind: 'held', until: held[0].claimed_until };
      const rows = await this.database.query<unknown[]>(
        'SELECT 1 FROM message_queues WHERE id = $1 AND fence < $2',
        [queueId, fence],
      );
      // Else it was given up between the two statements.
      if (rows.length === 0) return { kind: 'gone' };
    }
  }

  private begin(queueId: string, fence: number, askedAt: number): QueueClaim {
    const claim = new QueueClaim(queueId, fence, this.clock, this.lengthMs, askedAt + this.lengthMs);
    claim.keepAlive(
      async () => {
        const [renewed] = await this.database.query<[unknown[], number]>(
          `UPDATE message_queues SET claimed_until = now() + $3 * interval '1 millisecond'
            WHERE id = $1 AND fence = $2 AND claimed_until > now() RETURNING id`,
          [queueId, fence, this.lengthMs],
        );
        return renewed.length > 0;
      },
      (error) => this.logger.warn({ err: error }, 'A claim could not be prolonged'),
    );
    return claim;
  }
}
