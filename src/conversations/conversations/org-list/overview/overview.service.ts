import { Injectable } from '@nestjs/common';
import { Clock, isRecord } from '../../../../kernel/common';
import { OrgListDatabase } from '../database/org-list-database';
import { byShownStatus } from '../stats/org-stats.service';
import type { OrgOverview } from './overview.dto';
import { type FailedRow, OVERVIEW, type OverviewRow } from './overview.read-model';

const DAY_MS = 86_400_000;

/** How an organization stands, from counters and indexes, by one query (docs/contract.md#overview). */
@Injectable()
export class OverviewService {
  constructor(
    private readonly database: OrgListDatabase,
    private readonly clock: Clock,
  ) {}

  /** @throws ConversationsUnavailableError */
  async overview(orgId: string): Promise<OrgOverview> {
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    const row = await this.database.row<OverviewRow>(OVERVIEW, [orgId, since]);
    return {
      sandboxes: byShownStatus(row.sandboxes),
      queued_messages: { waiting: row.waiting, oldest_at: row.oldest_at },
      webhook_deliveries: { waiting: row.deliveries_waiting, failed_24h: row.deliveries_failed },
      failures: row.failures.map(toFailure),
    };
  }
}

function toFailure({
  id,
  start_failed,
  start_detail,
  reported,
  ...row
}: FailedRow): OrgOverview['failures'][0] {
  const { code, detail } = start_failed ? { code: null, detail: start_detail } : readFailure(reported);
  return {
    conversation_id: id,
    title: row.title,
    user_id: row.user_id,
    user_email: row.user_email,
    failed: start_failed ? 'start' : 'run',
    updated_at: new Date(row.updated_at).toISOString(),
    code,
    detail,
  };
}

/** What the JSON text of an agent's event says of a failure. */
function readFailure(reported: string | null): { code: string | null; detail: string | null } {
  const event = parsed(reported);
  const text = (name: string): string | null => {
    const value = isRecord(event) ? event[name] : null;
    return typeof value === 'string' ? value : null;
  };
  return { code: text('code'), detail: text('detail') };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
