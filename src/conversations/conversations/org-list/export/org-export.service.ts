import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Clock } from '../../../../kernel/common';
import { SandboxReader } from '../../../../sandboxes/sandboxes';
import { CSV_HEADER, csvLine } from './csv-record';
import { exportBatch } from './export-batch.read-model';
import { listCondition, type ListCondition } from '../list/list-condition.read-model';
import { toOrgConversation } from '../list/org-conversation.mapper';
import type { OrgConversationsExport } from '../list/org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationRow } from '../list/org-conversation.read-model';

/** Rows read and written at once, if they are not large: an export keeps twice as many in memory. */
const BATCH = 1_000;

/** The lines of some conversations, and the last of them; null when there were none. */
interface Batch {
  readonly lines: string;
  readonly last: OrgConversationRow | null;
}

/** All conversations of an organization as CSV (RFC 4180), oldest first. */
@Injectable()
export class OrgExportService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly sandboxes: SandboxReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads batch after batch as fast as the caller takes them; no connection is held in between.
   * @param gone ends it, and the query that runs
   * @throws ConversationsUnavailableError when the first batch cannot be read; a later one breaks the response off
   */
  async export(orgId: string, query: OrgConversationsExport, gone: AbortSignal): Promise<StreamableFile> {
    const condition = listCondition(orgId, query, this.clock.now(), true);
    const first = await this.batch(condition, null, gone);
    return new StreamableFile(Readable.from(this.text(condition, first, gone)), {
      type: 'text/csv; charset=utf-8; header=present',
      disposition: 'attachment; filename="conversations.csv"',
    });
  }

  private async *text(condition: ListCondition, first: Batch, gone: AbortSignal): AsyncGenerator<string> {
    yield CSV_HEADER;
    let batch = first;
    while (batch.last !== null && !gone.aborted) {
      // The next batch is read while this one is written.
      const next = this.batch(condition, batch.last, gone);
      next.catch(() => undefined);
      yield batch.lines;
      batch = await next;
    }
    if (batch.lines !== '') yield batch.lines;
  }

  private async batch(
    condition: ListCondition,
    after: OrgConversationRow | null,
    gone: AbortSignal,
  ): Promise<Batch> {
    const { sql, parameters } = exportBatch(condition, after, BATCH);
    const rows = await this.database.rows<OrgConversationRow>(sql, parameters, { gone });
    let lines = '';
    for (const row of rows)
      lines += csvLine(toOrgConversation(row, (sandbox) => this.sandboxes.conversationBaseOf(sandbox)));
    return { lines, last: rows.at(-1) ?? null };
  }
}
