import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { Clock } from '../../common';
import { SandboxReader } from '../../sandboxes';
import { CSV_HEADER, csvLine } from './csv-record';
import { listCondition, type ListCondition } from './list-condition';
import { type OrgConversationRow, toOrgConversation } from './org-conversation.mapper';
import type { OrgConversationsExport } from './org-conversations.dto';
import { OrgListDatabase } from './org-list-database';
import { BESIDE, ROWS } from './org-rows';

/** Rows read and written at once: what an export holds in memory. */
const BATCH = 1_000;

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
   * @throws ConversationsUnavailableError when the first batch cannot be read; a later one breaks the answer off
   */
  async export(orgId: string, query: OrgConversationsExport, gone: AbortSignal): Promise<StreamableFile> {
    const condition = listCondition(orgId, query, this.clock.now(), true);
    const first = await this.batch(condition, null, gone);
    return new StreamableFile(Readable.from(this.text(condition, first, gone), { objectMode: false }), {
      type: 'text/csv; charset=utf-8; header=present',
      disposition: 'attachment; filename="conversations.csv"',
    });
  }

  private async *text(
    condition: ListCondition,
    first: readonly OrgConversationRow[],
    gone: AbortSignal,
  ): AsyncGenerator<string> {
    yield CSV_HEADER;
    let rows = first;
    while (rows.length > 0 && !gone.aborted) {
      // The next batch is read while this one is written.
      const last = rows[BATCH - 1];
      const next = last === undefined ? Promise.resolve([]) : this.batch(condition, last, gone);
      next.catch(() => undefined);
      let lines = '';
      for (const row of rows)
        lines += csvLine(toOrgConversation(row, (sandbox) => this.sandboxes.publicUrlOf(sandbox)));
      yield lines;
      rows = await next;
    }
  }

  private batch(
    { from, branches, parameters }: ListCondition,
    after: OrgConversationRow | null,
    gone: AbortSignal,
  ): Promise<OrgConversationRow[]> {
    const count = parameters.length;
    const rest =
      after === null ? '' : ` AND (c.created_at, c.id) > ($${count + 1}::timestamptz, $${count + 2}::uuid)`;
    return this.database.query<OrgConversationRow>(
      `${ROWS} FROM (SELECT c.id FROM ${from} WHERE (${branches.join(' OR ')})${rest}
                      ORDER BY c.created_at, c.id LIMIT ${BATCH}) p
         JOIN conversations c ON c.id = p.id AND c.deleted_at IS NULL ${BESIDE}
        ORDER BY c.created_at, c.id`,
      after === null ? parameters : [...parameters, after.created_at, after.id],
      gone,
    );
  }
}
