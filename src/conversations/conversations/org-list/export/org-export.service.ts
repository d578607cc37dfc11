import { Readable } from 'node:stream';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { type Batch, Clock, csvField, CsvLines, inBatches } from '../../../../kernel/common';
import { declaredFields } from '../../../../kernel/validation';
import { SandboxReader } from '../../../../sandboxes/sandboxes';
import { exportBatch, type Place } from './export-batch.read-model';
import { exportLines, type LinesRow } from './export-lines.read-model';
import { listCondition, type ListCondition } from '../list/list-condition.read-model';
import { withoutGaps } from '../list/org-conversation-json.read-model';
import { toOrgConversation } from '../list/org-conversation.mapper';
import { OrgConversationResponse, type OrgConversationsExport } from '../list/org-conversations.dto';
import { OrgListDatabase } from '../database/org-list-database';
import type { OrgConversationRow } from '../list/org-conversation.read-model';

/** Lines read and written at once: an export keeps twice as many in memory. More make it no faster, and leave more to collect. */
const BATCH = 250;

/** The fields of a conversation, in the order of the interface. */
const NAMES = declaredFields(OrgConversationResponse).map(({ name }) => name);
const CSV = new CsvLines(NAMES);
const writtenLines = exportLines(NAMES);

/** All conversations of an organization as CSV (RFC 4180), oldest first. */
@Injectable()
export class OrgExportService {
  constructor(
    private readonly database: OrgListDatabase,
    @Inject(SandboxReader) private readonly sandboxes: Pick<SandboxReader, 'conversationBaseOf'>,
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
    const next = (after: Place) => this.batch(condition, after, gone);
    const text = inBatches(CSV.header, first, next, gone);
    return new StreamableFile(Readable.from(text), {
      type: 'text/csv; charset=utf-8; header=present',
      disposition: 'attachment; filename="conversations.csv"',
    });
  }

  private async batch(
    condition: ListCondition,
    after: Place | null,
    gone: AbortSignal,
  ): Promise<Batch<Place>> {
    const { sql, parameters } = writtenLines(condition, after, BATCH);
    const row = await this.database.row<LinesRow>(sql, parameters, { gone });
    if (row.unwritten > 0) return this.batchOfRows(condition, after, gone);
    const { lines, createdAt, id } = row;
    if (lines === null) return { lines: '', last: null };
    return {
      lines: withoutGaps(lines, (sandbox) => this.sandboxes.conversationBaseOf(sandbox), csvField),
      last: { createdAt, id },
    };
  }

  /** Where the database does not write them all: large ones are as few as a batch bears. */
  private async batchOfRows(
    condition: ListCondition,
    after: Place | null,
    gone: AbortSignal,
  ): Promise<Batch<Place>> {
    const { sql, parameters } = exportBatch(condition, after, BATCH);
    const rows = await this.database.rows<OrgConversationRow>(sql, parameters, { gone });
    let lines = '';
    for (const row of rows)
      lines += CSV.line(toOrgConversation(row, (sandbox) => this.sandboxes.conversationBaseOf(sandbox)));
    return { lines, last: rows.at(-1) ?? null };
  }
}
