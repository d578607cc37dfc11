import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { backOff, Clock, KeyedSemaphore, newId, settledWithin } from '../../../kernel/common';
import { CallsTogether, isReferenceGone } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { BudgetMarks } from '../marks/budget-marks';
import type { SpendingKey } from '../marks/budget-marks.query';
import { BudgetExhaustedError, ModelKeyInvalidError } from '../record/budgets.errors';
import { toExhausted } from '../record/exhausted-budget';
import { CallingProcess } from './calling-process';
import {
  type CallOutcome,
  checkedCall,
  checkedOutcome,
  type ModelCall,
  type Reservation,
} from './model-call';
import { BUDGET, RESERVE_CALLS, SETTLE_CALLS } from './model-calls.query';

/** The most calls of one statement. */
const MOST_TOGETHER = 100;
/** Statements of one call at a time, which wait for locks: others need connections, too. */
const MOST_ALONE = 3;
const ALONE = { replica: 'all' };
/** How often a reservation is tried again that a budget's deletion crossed. */
const TRIES = 3;
/** Those that end in so short a time are settled together: a statement for each would cost more than the calls. */
const GATHERED_MS = 20;
const FIRST_RETRY_MS = 200;
const MOST_RETRY_MS = 10_000;
/** A stop waits no longer for what is not settled yet; what is left is counted as lost. */
const STOP_MS = 2_500;

/** Nothing was used. */
const NOTHING: CallOutcome = {
  tokens: { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0 },
  cost: 0,
  status: 'failed',
  httpStatus: null,
  latencyMs: 0,
  firstByteMs: null,
  usageReported: false,
};

/** A call that the database has decided on. */
type Decided = { readonly refusedBy: SpendingKey | null; readonly isSpent: boolean } | 'reserved';

interface Asked extends Reservation {
  readonly call: ModelCall;
}

interface Settled extends Reservation {
  readonly outcome: CallOutcome;
}

/**
 * Calls of models and what they cost: reserved before they are made, settled by their responses
 * (docs/budgets.md#reservations). Those that come at the same time share a statement, and so a commit.
 */
@Injectable()
export class ModelCalls implements OnModuleDestroy {
  private readonly logger = new Logger(ModelCalls.name);
  private readonly unsettled = new Set<Promise<void>>();
  private isStopping = false;
  private isStopped = false;
  private readonly alone = new KeyedSemaphore({ replica: MOST_ALONE });
  private readonly reserving = new CallsTogether<Asked, Decided>(
    (asked) => this.reserveAll(asked, true),
    () => 1 / MOST_TOGETHER,
  );
  private readonly settling = new CallsTogether<Settled, true>(
    (settled) => this.settleAll(settled, true),
    () => 1 / MOST_TOGETHER,
    () => (this.isStopping ? 0 : GATHERED_MS),
  );

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly process: CallingProcess,
    private readonly marks: BudgetMarks,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Reserves the most that a call may cost, in every budget that it counts in, or in none. From its first call on, what a
   * conversation has spent is what its calls add up to.
   * @throws BudgetExhaustedError; ModelKeyInvalidError when the conversation is gone, or its sandbox does not run; RangeError for amounts that are none
   */
  async reserve(wanted: ModelCall): Promise<Reservation> {
    const asked = { id: newId(), call: checkedCall(wanted) };
    await this.process.begin();
    for (;;) {
      const decided = await this.decide(asked);
      if (decided === 'reserved') return { id: asked.id };
      if (decided.refusedBy === null) throw new ModelKeyInvalidError();
      const refusal = await this.refusal(asked.call, decided.refusedBy, decided.isSpent);
      // Without that budget there may be room.
      if (refusal !== null) throw refusal;
    }
  }

  private async decide(asked: Asked): Promise<Decided> {
    try {
      return (await this.reserving.take(asked)) ?? (await this.reserveAlone(asked));
    } catch (error) {
      // It may have been committed all the same, without this process learning of it.
      void this.release({ id: asked.id });
      throw error;
    }
  }

  /**
   * Replaces a reservation by what came of the call; tries again while the database is away. Settling it again changes nothing.
   * @returns when it is stored; not to be awaited by whoever waits for the response
   */
  settle(reservation: Reservation, outcome: CallOutcome): Promise<void> {
    const settled = this.keepSettling({ id: reservation.id, outcome: checkedOutcome(outcome) });
    this.unsettled.add(settled);
    return settled.finally(() => this.unsettled.delete(settled));
  }

  /** Nothing was spent: the call was not made, or not answered. Its row says `failed`. */
  release(reservation: Reservation): Promise<void> {
    return this.settle(reservation, NOTHING);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    await settledWithin(Promise.allSettled(this.unsettled), STOP_MS);
    this.isStopped = true;
    await this.process.end();
  }

  private async reserveAlone(asked: Asked): Promise<Decided> {
    for (let attempt = 1; ; attempt++)
      try {
        const [decided] = await this.alone.whenFree(ALONE, () => this.reserveAll([asked], false));
        return decided ?? 'reserved';
      } catch (error) {
        if (attempt === TRIES || !isReferenceGone(error)) throw error;
      }
  }

  /** @returns of each in its place what the database decided */
  private async reserveAll(asked: readonly Asked[], makesWay: boolean): Promise<Decided[]> {
    const rows = await RESERVE_CALLS.rows(this.database, [
      asked.map(({ id }) => id),
      asked.map(({ call }) => call.conversationId),
      asked.map(({ call }) => call.model),
      asked.map(({ call }) => call.provider),
      asked.map(({ call }) => call.mostCost),
      asked.map(({ call }) => call.mostTokens),
      this.process.id,
      makesWay,
    ]);
    const refused = new Map(rows.map((row) => [row.call, row]));
    return asked.map((_, place) => {
      const row = refused.get(place + 1);
      if (row === undefined) return 'reserved';
      const { refused_by: budget_id, of_user: user_id, is_spent } = row;
      const refusedBy = budget_id === null || user_id === null ? null : { budget_id, user_id };
      return { refusedBy, isSpent: is_spent === true };
    });
  }

  /** @returns null for a budget that was deleted meanwhile */
  private async refusal(
    call: ModelCall,
    refusedBy: SpendingKey,
    isSpent: boolean,
  ): Promise<BudgetExhaustedError | null> {
    const read = () => BUDGET.rows(this.database, [refusedBy.budget_id, refusedBy.user_id]);
    let [row] = await read();
    // A flood of refused calls locks nothing more.
    if (isSpent && row?.is_marked === false) {
      await this.marks.refused(refusedBy, call);
      [row] = await read();
    }
    if (row === undefined) return null;
    return new BudgetExhaustedError(toExhausted(row, this.clock.now()), isSpent ? 'spent' : 'reserved');
  }

  private async keepSettling(settled: Settled): Promise<void> {
    for (let failures = 0; ; failures++)
      try {
        if ((await this.settling.take(settled)) === null)
          await this.alone.whenFree(ALONE, () => this.settleAll([settled], false));
        return;
      } catch (error) {
        if (this.isStopped) throw error;
        this.logger.warn({ err: error }, 'What a call of a model cost could not be stored yet');
        const wait = backOff(failures, FIRST_RETRY_MS, MOST_RETRY_MS);
        await new Promise((resolve) => setTimeout(resolve, wait).unref());
      }
  }

  private async settleAll(settled: readonly Settled[], makesWay: boolean): Promise<true[]> {
    const outcomes = settled.map(({ outcome }) => outcome);
    const crossed = await SETTLE_CALLS.rows(this.database, [
      settled.map(({ id }) => id),
      outcomes.map(({ status }) => status),
      outcomes.map(({ cost }) => cost),
      outcomes.map(({ tokens }) => tokens.prompt),
      outcomes.map(({ tokens }) => tokens.completion),
      outcomes.map(({ tokens }) => tokens.cacheRead),
      outcomes.map(({ tokens }) => tokens.cacheWrite),
      outcomes.map(({ usageReported }) => usageReported),
      outcomes.map(({ httpStatus }) => httpStatus),
      outcomes.map(({ latencyMs }) => latencyMs),
      outcomes.map(({ firstByteMs }) => firstByteMs),
      makesWay,
    ]);
    this.events.loggedAlone();
    // Those that it cannot mark now are marked a moment later.
    if (crossed.length > 0)
      await this.marks
        .reached(crossed)
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'Limits of budgets could not be marked yet'),
        );
    return settled.map(() => true);
  }
}
