import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { type Batch, inBatches } from '../../../../kernel/common';
import type { AuditLogExport } from '../audit-log.dto';
import { filterOf } from '../list/audit-log-list';
import { AuditLogDatabase } from '../rows/audit-log-database';
import { type AuditPlace, oldestRows } from '../rows/audit-rows.read-model';
import { exportFormats } from './export-formats';

/** Rows read and written at once: an export keeps twice as many in memory. */
const BATCH = 1_000;

/** The whole log of an organization in one of the formats, the oldest rows first. */
@Injectable()
export class AuditLogExports {
  constructor(private readonly database: AuditLogDatabase) {}

  /**
   * Reads batch after batch as fast as the caller takes them; no connection is held in between.
   * @param gone ends it, and the query that runs
   * @throws AuditLogUnavailableError when the first batch cannot be read; a later one breaks the response off
   */
  async export(orgId: string, query: AuditLogExport, gone: AbortSignal): Promise<StreamableFile> {
    const { mediaType, fileName, header, line } = exportFormats[query.format];
    const filter = filterOf(query);
    const next = async (after: AuditPlace | null): Promise<Batch<AuditPlace>> => {
      const rows = await this.database.rows(oldestRows(orgId, filter, after, BATCH), gone);
      return { lines: rows.map(line).join(''), last: rows.at(-1) ?? null };
    };
    return new StreamableFile(Readable.from(inBatches(header, await next(null), next, gone)), {
      type: mediaType,
      disposition: `attachment; filename="${fileName}"`,
    });
  }
}
