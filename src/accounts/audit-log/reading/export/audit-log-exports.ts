import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { Membership } from '../../../../kernel/auth';
import { type Batch, inBatches } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { DownloadSlots } from '../../../../kernel/http';
import type { AuditLogExport } from '../audit-log-queries.dto';
import { filterOf } from '../list/audit-log-list';
import { AuditLogDatabase } from '../rows/audit-log-database';
import { type AuditPlace, oldestRows } from '../rows/audit-rows.read-model';
import { exportFormats } from './export-formats';

/** Rows read and written at once: an export keeps twice as many in memory, of some ten kilobytes each where settings are large. */
const BATCH = 500;

const LIMITS = {
  atOnce: 4,
  ofUser: 2,
  refusal: 'As many exports of the audit log are written as may be at once; try again when one is done.',
};

/** The whole log of an organization in one of the formats, the oldest rows first. */
@Injectable()
export class AuditLogExports {
  private readonly slots: DownloadSlots;

  constructor(
    private readonly database: AuditLogDatabase,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.slots = new DownloadSlots(settings, LIMITS);
  }

  /**
   * Reads batch after batch as fast as the caller takes them; no connection is held in between.
   * @param gone ends it, and the query that runs
   * @throws TooManyDownloadsError; AuditLogUnavailableError when the first batch cannot be read, a later one breaks the response off
   */
  async export(reader: Membership, query: AuditLogExport, gone: AbortSignal): Promise<StreamableFile> {
    const { orgId } = reader;
    const { mediaType, fileName, header, line } = exportFormats[query.format];
    const filter = filterOf(query);
    const next = async (after: AuditPlace | null): Promise<Batch<AuditPlace>> => {
      const rows = await this.database.rows(oldestRows(orgId, filter, after, BATCH), gone);
      return { lines: rows.map(line).join(''), last: rows.at(-1) ?? null };
    };
    const text = inBatches(header, await next(null), next, gone);
    return new StreamableFile(this.slots.fill(reader, encoded(text)), {
      type: mediaType,
      disposition: `attachment; filename="${fileName}"`,
    });
  }
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}
