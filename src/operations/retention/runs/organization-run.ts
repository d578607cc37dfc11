import type { DataSource, EntityManager } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageQueuedMeanwhileError } from '../../../conversations/conversations';
import type { Clock } from '../../../kernel/common';
import { duePages } from '../due/due-counts';
import { type DueRow, EXPIRED_CONVERSATIONS, KEEP_HOLDS_AWAY } from '../due/due.read-model';
import type { RetentionKind } from '../kinds/retention-kinds';
import { type Chunk, type Removal, type Removals, ROWS_AT_ONCE } from './removals';
import { NOTHING, type Removed, type RemovedOfKind, withRemoved } from './removed';
import { NOTE_REMOVED } from './retention-runs.query';

/** Conversations that are emptied together. */
const EMPTIED_AT_ONCE = 50;

/** After each batch a run rests as long as that took, and at least so long: others have half of the database at least. */
const SHORTEST_REST_MS = 10;

/** Another run has the organization: this one writes nothing more. */
export class RunLostError extends Error {
  override readonly name = 'RunLostError';
}

/** What a run needs of the service. */
interface RunParts {
  readonly database: DataSource;
  readonly removals: Removals;
  readonly clock: Clock;
}

/** What was claimed: an organization, by a number that no later run has. */
interface Claim {
  readonly orgId: string;
  readonly fence: string;
  /** By a run before this one that was interrupted. */
  readonly removed: Removed;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes what is due in one organization. Each batch is a transaction that also notes what went so far: a run that is killed
 * leaves all of a batch or nothing, and the next one goes on.
 */
export class OrganizationRun {
  private soFar: Removed;

  constructor(
    private readonly parts: RunParts,
    private readonly claim: Claim,
  ) {
    this.soFar = claim.removed;
  }

  get removed(): Removed {
    return this.soFar;
  }

  /**
   * Removes what was last active before some times. @param before null for nothing of a kind
   * @throws RunLostError; what the signal was aborted with
   */
  async remove(before: Readonly<Record<RetentionKind, Date | null>>): Promise<void> {
    for (const removal of this.parts.removals.all) {
      const cutoff = before[removal.kind];
      if (cutoff !== null) await this.removeAll(removal, cutoff);
    }
    while (await this.emptySome());
  }

  private async removeAll(removal: Removal, before: Date): Promise<void> {
    const { orgId } = this.claim;
    for await (const page of duePages(this.parts.database, removal.due, orgId, before))
      for (const rows of chunksOf(page, removal.most))
        await this.removeChunk(removal, { orgId, before, rows });
  }

  private async removeChunk(removal: Removal, chunk: Chunk): Promise<void> {
    let removed: RemovedOfKind;
    do {
      removed = await this.batch(removal.kind, (transaction) => removal.run(transaction, chunk));
    } while (removal.isPartial && removed.items > 0);
  }

  /** Empties some of what was deleted, those that are held excepted. @returns whether there was anything */
  private async emptySome(): Promise<boolean> {
    let found: readonly { readonly id: string }[] = [];
    await this.batch('conversations', async (transaction) => {
      found = await EXPIRED_CONVERSATIONS.rows(transaction, [this.claim.orgId, EMPTIED_AT_ONCE]);
      const ids = found.map(({ id }) => id);
      // They were counted when they were deleted.
      return found.length === 0
        ? NOTHING
        : { items: 0, bytes: await this.parts.removals.empty(transaction, ids) };
    });
    return found.length > 0;
  }

  /** Does something in a transaction of its own, and notes what it has removed. */
  private async batch(
    kind: RetentionKind,
    work: (transaction: EntityManager) => Promise<RemovedOfKind>,
  ): Promise<RemovedOfKind> {
    const { orgId, fence, signal } = this.claim;
    signal?.throwIfAborted();
    const begunMs = this.parts.clock.monotonicMs();
    let after = this.soFar;
    const removed = await this.parts.database
      .transaction(async (transaction) => {
        await KEEP_HOLDS_AWAY.rows(transaction, [orgId]);
        const done = await work(transaction);
        if (done.items > 0 || done.bytes > 0) after = withRemoved(this.soFar, kind, done);
        const noted = await NOTE_REMOVED.rows(transaction, [orgId, fence, JSON.stringify(after)]);
        if (noted.length === 0) throw new RunLostError();
        return done;
      })
      .catch((error: unknown) => {
        if (!(error instanceof MessageQueuedMeanwhileError)) throw error;
        after = this.soFar;
        return NOTHING;
      });
    this.soFar = after;
    await sleep(Math.max(SHORTEST_REST_MS, this.parts.clock.monotonicMs() - begunMs));
    return removed;
  }
}

/** Those that may go, in chunks of so many things, or about as many rows as one transaction removes. */
function* chunksOf(page: readonly DueRow[], most: number): Generator<readonly DueRow[]> {
  let rows: DueRow[] = [];
  let items = 0;
  for (const row of page) {
    if (!row.is_due) continue;
    rows.push(row);
    items += row.items;
    if (rows.length < most && items < ROWS_AT_ONCE) continue;
    yield rows;
    [rows, items] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}
