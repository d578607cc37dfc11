import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExpiredConversations } from '../../../conversations/conversations';
import { EventRemoval } from '../../../conversations/events';
import { QueueCleanUp } from '../../../conversations/pending-messages';
import { WebhookCleanUp } from '../../../outbound/webhooks';
import { SandboxLifecycle } from '../../../sandboxes/sandboxes';
import {
  DUE_ARCHIVES,
  DUE_CONVERSATIONS,
  DUE_DELETED,
  DUE_DELIVERIES,
  DUE_EVENTS,
  DUE_MESSAGES,
  type DueRow,
  type DueStatements,
} from '../due/due.read-model';
import type { RetentionKind } from '../kinds/retention-kinds';
import { NOTHING, type RemovedOfKind } from './removed';

/** Events, or messages, that one transaction removes: some hundredths of a second. */
export const ROWS_AT_ONCE = 2_000;

/** What is removed together. */
export interface Chunk {
  readonly orgId: string;
  readonly before: Date;
  readonly rows: readonly DueRow[];
}

/** How things are removed: some of them in one transaction, which looks again at what may go. */
export interface Removal {
  readonly kind: RetentionKind;
  readonly due: DueStatements;
  /** Most things of a chunk. */
  readonly most: number;
  /** Whether one call need not remove all of a chunk: then it is called again until nothing is left. */
  readonly isPartial?: true;
  run(transaction: EntityManager, chunk: Chunk): Promise<RemovedOfKind>;
}

/** Has the owners of what goes remove it, each in transactions of the caller, in the order of locks. */
@Injectable()
export class Removals {
  constructor(
    private readonly conversations: ExpiredConversations,
    private readonly events: EventRemoval,
    private readonly messages: QueueCleanUp,
    private readonly deliveries: WebhookCleanUp,
    private readonly sandboxes: SandboxLifecycle,
  ) {}

  /** All of them, in the order in which they are done. */
  readonly all: readonly Removal[] = [
    {
      kind: 'messages',
      due: DUE_MESSAGES,
      most: ROWS_AT_ONCE,
      run: async (transaction, chunk) =>
        this.messages.removeDone(transaction, ids(await stillDue(transaction, DUE_MESSAGES, chunk))),
    },
    {
      kind: 'deliveries',
      due: DUE_DELIVERIES,
      most: ROWS_AT_ONCE,
      run: async (transaction, chunk) =>
        this.deliveries.removeCompleted(transaction, ids(await stillDue(transaction, DUE_DELIVERIES, chunk))),
    },
    {
      kind: 'events',
      due: DUE_EVENTS,
      most: 200,
      isPartial: true,
      run: (transaction, chunk) => this.removeEvents(transaction, chunk),
    },
    {
      kind: 'conversations',
      due: DUE_CONVERSATIONS,
      most: 1,
      run: (transaction, chunk) => this.removeFamily(transaction, chunk),
    },
    {
      kind: 'conversations',
      due: DUE_DELETED,
      most: ROWS_AT_ONCE,
      run: async (transaction, chunk) => {
        const left = ids(await stillDue(transaction, DUE_DELETED, chunk));
        return { items: await this.conversations.markExpired(transaction, left), bytes: 0 };
      },
    },
    {
      kind: 'archives',
      due: DUE_ARCHIVES,
      most: 20,
      run: (transaction, chunk) => this.removeArchives(transaction, chunk),
    },
  ];

  /** Empties conversations that were deleted, a little at a time, until they are. @returns how many bytes went */
  async empty(transaction: EntityManager, conversationIds: readonly string[]): Promise<number> {
    const events = await this.events.remove(transaction, conversationIds, ROWS_AT_ONCE);
    if (events.items > 0) return events.bytes;
    await this.events.end(transaction, conversationIds);
    return (await this.conversations.empty(transaction, conversationIds, ROWS_AT_ONCE)).bytes;
  }

  /** Under the locks of their sandboxes none of them starts meanwhile, and no agent server reports anything. */
  private async removeEvents(transaction: EntityManager, chunk: Chunk): Promise<RemovedOfKind> {
    const sandboxes = chunk.rows.map(({ sandbox_id }) => sandbox_id).filter((id) => id !== null);
    await this.sandboxes.lock(transaction, [...new Set(sandboxes)]);
    const left = ids(await stillDue(transaction, DUE_EVENTS, chunk));
    return left.length === 0 ? NOTHING : this.events.remove(transaction, left, ROWS_AT_ONCE);
  }

  private async removeFamily(transaction: EntityManager, chunk: Chunk): Promise<RemovedOfKind> {
    const [root] = chunk.rows;
    if (root === undefined) return NOTHING;
    const items = await this.conversations.remove(
      transaction,
      root.id,
      async () => (await stillDue(transaction, DUE_CONVERSATIONS, chunk)).length > 0,
    );
    // Their bytes go when they are emptied.
    return { items, bytes: 0 };
  }

  private async removeArchives(transaction: EntityManager, chunk: Chunk): Promise<RemovedOfKind> {
    await this.sandboxes.lock(transaction, ids(chunk.rows));
    const left = ids(await stillDue(transaction, DUE_ARCHIVES, chunk));
    for (const id of left) await this.sandboxes.delete(transaction, id);
    return { items: left.length, bytes: 0 };
  }
}

function ids(rows: readonly DueRow[]): string[] {
  return rows.map(({ id }) => id);
}

/** Those of a chunk that may go as the transaction sees them now. */
async function stillDue(
  transaction: EntityManager,
  statements: DueStatements,
  { orgId, before, rows }: Chunk,
): Promise<DueRow[]> {
  const found = await statements.again.rows(transaction, [orgId, before, ids(rows)]);
  return found.filter(({ is_due }) => is_due);
}
