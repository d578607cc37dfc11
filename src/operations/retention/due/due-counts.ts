import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../kernel/common';
import type { RetentionKind } from '../kinds/retention-kinds';
import {
  BEGINNING,
  DUE_ARCHIVES,
  DUE_CONVERSATIONS,
  DUE_DELETED,
  DUE_DELIVERIES,
  DUE_EVENTS,
  DUE_MESSAGES,
  type DueCursor,
  type DueRow,
  type DueStatements,
} from './due.read-model';

/** What there is of each kind. */
export const DUE_OF: Readonly<Record<RetentionKind, readonly DueStatements[]>> = {
  messages: [DUE_MESSAGES],
  deliveries: [DUE_DELIVERIES],
  events: [DUE_EVENTS],
  conversations: [DUE_CONVERSATIONS, DUE_DELETED],
  archives: [DUE_ARCHIVES],
};

/** As many as one statement finds in a fraction of its time limit. */
export const DUE_PAGE = 1_000;

/** Counting ends after so long: somebody waits for it. */
const COUNTING_MS = 15_000;

/** What is due of a kind, added up. */
export interface DueSummary {
  readonly items: number;
  /** Null where that is not known. */
  readonly bytes: number | null;
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** Whether all were counted. */
  readonly isComplete: boolean;
}

/** Reads page after page of what was not active since a time, those that may not go among it. */
export async function* duePages(
  database: DataSource,
  statements: DueStatements,
  orgId: string,
  before: Date,
  from: DueCursor = BEGINNING,
): AsyncGenerator<readonly DueRow[]> {
  let cursor = from;
  for (;;) {
    const page = await statements.page.rows(database, [orgId, before, cursor.at, cursor.id, DUE_PAGE]);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < DUE_PAGE) return;
    cursor = last;
  }
}

/** Counts what is due. */
@Injectable()
export class DueCounts {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** What may go of a kind, that was not active since a time. @param from only what was active then, or later */
  async count(orgId: string, kind: RetentionKind, before: Date, from?: Date): Promise<DueSummary> {
    const until = this.clock.monotonicMs() + COUNTING_MS;
    let summary: DueSummary = {
      items: 0,
      bytes: kind === 'archives' ? null : 0,
      oldest: null,
      newest: null,
      isComplete: true,
    };
    for (const statements of DUE_OF[kind])
      for await (const page of duePages(this.database, statements, orgId, before, beginningAt(from))) {
        if (this.clock.monotonicMs() > until) return { ...summary, isComplete: false };
        summary = page
          .filter(({ is_due, at }) => is_due && (from === undefined || at >= from))
          .reduce(added, summary);
      }
    return summary;
  }
}

function beginningAt(from: Date | undefined): DueCursor {
  return from === undefined ? BEGINNING : { ...BEGINNING, at: from };
}

function added(sum: DueSummary, { items, bytes, at }: DueRow): DueSummary {
  return {
    items: sum.items + items,
    bytes: sum.bytes === null || bytes === null ? null : sum.bytes + bytes,
    oldest: sum.oldest === null || at < sum.oldest ? at : sum.oldest,
    newest: sum.newest === null || at > sum.newest ? at : sum.newest,
    isComplete: sum.isComplete,
  };
}
