import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEventLog, type LogConsumer, type LoggedEvent } from '../../../kernel/domain-events';
import { CHAIN_HEADS } from './chain-heads.read-model';
import { addRows } from './chain.query';
import { type ChainHead, type NewRow, type Recorded, rowOf } from './entry';

/** Rows that are made at a stretch: those of a whole batch would have requests wait for ten milliseconds. */
const ROWS_AT_ONCE = 100;

/** What was logged, in its place. */
interface Placed {
  readonly position: string;
  readonly event: Recorded;
}

/** Adds what was recorded to the log, each organization's to a chain of its own, in the transaction that numbers it. */
@Injectable()
export class ChainWriter implements LogConsumer {
  constructor(log: DomainEventLog) {
    log.consume(this);
  }

  /** A row may come a second later than its change. */
  isWaiting(): boolean {
    return false;
  }

  /** Rows of organizations that were deleted meanwhile are dropped: the rest of their log is gone as well. */
  async take(transaction: EntityManager, events: readonly LoggedEvent[]): Promise<void> {
    const recorded = events.flatMap(recordedIn);
    if (recorded.length === 0) return;
    const orgIds = new Set(recorded.flatMap(({ event }) => event.org_id ?? []));
    const heads = await CHAIN_HEADS.rowsIn(transaction, [[...orgIds]]);
    const ends = new Map(
      heads.map(({ org_id, position, hash }) => [
        org_id,
        position === null || hash === null ? null : { position, hash },
      ]),
    );
    for (let at = 0; at < recorded.length; at += ROWS_AT_ONCE) {
      const rows = chained(recorded.slice(at, at + ROWS_AT_ONCE), ends);
      if (rows.length > 0) await addRows(transaction, rows);
    }
  }

  committed(): void {
    // Nobody waits for rows.
  }
}

function recordedIn({ position, event }: LoggedEvent): Placed[] {
  return isRecorded(event) ? [{ position, event }] : [];
}

function isRecorded(event: LoggedEvent['event']): event is Recorded {
  return event.kind === 'audit.recorded';
}

/** @param heads of the chains that there are, null for a new one; those of the rows afterwards */
function chained(recorded: readonly Placed[], heads: Map<string | null, ChainHead | null>): NewRow[] {
  return recorded.flatMap(({ position, event }) => {
    const head = heads.get(event.org_id);
    if (head === undefined) return [];
    const row = rowOf(position, event, head);
    heads.set(event.org_id, { position, hash: row.hash });
    return [row];
  });
}
