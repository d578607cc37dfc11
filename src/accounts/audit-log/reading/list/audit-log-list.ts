import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  clampLimit,
  digestOf,
  type Page,
  pageInstant,
  PageIds,
  pageOf,
  storableOrNull,
} from '../../../../kernel/common';
import { ocsfEvent } from '../ocsf/ocsf-event';
import type { AuditLogEntry, OcsfEvent } from '../audit-log.dto';
import type { AuditLogQuery, AuditLogSelection } from '../audit-log-queries.dto';
import { AuditLogDatabase } from '../rows/audit-log-database';
import type { AuditFilter } from '../rows/audit-filter';
import { auditRecord } from '../rows/audit-record';
import { type AuditRow, newestRows, rowsBehind } from '../rows/audit-rows.read-model';

const position = z.string().regex(/^\d{1,18}$/);

/** Pages of the log of an organization. */
@Injectable()
export class AuditLogList {
  constructor(private readonly database: AuditLogDatabase) {}

  /**
   * The newest rows first; with `after` those behind a position, in the order in which they were written.
   * @throws PageIdInvalidError for a page of another organization, or of other filters; AuditLogUnavailableError
   */
  async page(
    orgId: string,
    query: AuditLogQuery,
    gone: AbortSignal,
  ): Promise<Page<AuditLogEntry | OcsfEvent>> {
    const shape: (row: AuditRow) => AuditLogEntry | OcsfEvent =
      query.format === 'ocsf' ? ocsfEvent : auditRecord;
    const most = clampLimit(query.limit);
    const filter = filterOf(query);
    const list = (order: string): string => listName(orgId, filter, order);
    const answer = (rows: readonly AuditRow[], idOf: (row: AuditRow) => string) =>
      pageOf(rows, most, shape, idOf);
    if (query.after === null) {
      const pages = new PageIds(list('newest first'), z.object({ at: pageInstant, position }));
      const from = pages.read(query.page_id);
      const rows = await this.database.rows(newestRows(orgId, filter, from, most + 1), gone);
      return answer(rows, ({ at, position }) => pages.write({ at, position }));
    }
    const pages = new PageIds(list('as written'), position);
    // The page id is that of the row that the page begins with.
    const from = pages.read(query.page_id);
    const after = from === null ? String(query.after) : String(BigInt(from) - 1n);
    const rows = await this.database.rows(rowsBehind(orgId, filter, after, most + 1), gone);
    return answer(rows, ({ position }) => pages.write(position));
  }
}

/** What a request asks for. */
export function filterOf({ since, until, actor, action, target, outcome }: AuditLogSelection): AuditFilter {
  return { since, until, actor, action: storableOrNull(action), target: storableOrNull(target), outcome };
}

/** A page belongs to one organization, to its filters and to an order. */
function listName(orgId: string, filter: AuditFilter, order: string): string {
  return `audit-log ${digestOf(JSON.stringify([orgId, filter, order])).slice(0, 32)}`;
}
