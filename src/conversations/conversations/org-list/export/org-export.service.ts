import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { type Batch, Clock, CsvLines, inBatches } from '../../../../kernel/common';
import { declaredFields } from '../../../../kernel/validation';
import { SandboxReader } from '../../../../sandboxes/sandboxes';
import { exportBatch } from './export-batch.read-model';
import { listCondition, type ListCondition } from '../list/list-condition.read-model';
import { toOrgConversation } from '../list/org-conversation.mapper';
import { OrgConversationResponse, type OrgConversationsExport } from '../list/org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationRow } from '../list/org-conversation.read-model';

/** Rows read and written at once, if they are not large: an export keeps twice as many in memory. */
const BATCH = 1_000;

/** The fields of a conversation, in the order of the interface. */
const CSV = new CsvLines(declaredFields(OrgConversationResponse).map(({ name }) => name));

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
    const next = (after: OrgConversationRow) => this.batch(condition, after, gone);
    const text = inBatches(CSV.header, first, next, gone);
    return new StreamableFile(Readable.from(text), {
      type: 'text/csv; charset=utf-8; header=present',
      disposition: 'attachment; filename="conversations.csv"',
    });
  }

  private async batch(
    condition: ListCondition,
    after: OrgConversationRow | null,
    gone: AbortSignal,
  ): Promise<Batch<OrgConversationRow>> {
    const { sql, parameters } = exportBatch(condition, after, BATCH);
    const rows = await this.database.rows<OrgConversationRow>(sql, parameters, { gone });
    let lines = '';
    for (const row of rows)
      lines += CSV.line(toOrgConversation(row, (sandbox) => this.sandboxes.conversationBaseOf(sandbox)));
    return { lines, last: rows.at(-1) ?? null };
  }
}
