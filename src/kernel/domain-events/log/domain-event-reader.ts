import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { groupedRows } from '../../database';
import { AUDIT_KIND } from '../kinds/event-kinds';
import { DomainEventKinds } from '../domain-event-kinds';
import type { LoggedEvent } from './domain-event-log';
import { EVENTS_AFTER, LOG_BOUNDS, type OrgEventRow } from './domain-event-log.query';

/** What the log has of an organization. */
interface LogBounds {
  /** The last position of the organization. */
  readonly last: number;
  /** The last position of all: no higher one was given yet. */
  readonly given: number;
}

/** The next events of an organization. */
export interface LogPage {
  /** Events up to this position were asked for and are gone; 0 where none are. */
  readonly gone: number;
  readonly events: readonly LoggedEvent[];
  /** The position up to which nothing was left out. */
  readonly end: number;
  readonly hasMore: boolean;
}

/** Reads the log of organizations in its order, without the rows of the audit log; positions fit into numbers for longer than anything lasts. */
@Injectable()
export class DomainEventReader {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly kinds: DomainEventKinds,
  ) {}

  /** What the log has of an organization. */
  async bounds(orgId: string): Promise<LogBounds> {
    const [row] = await LOG_BOUNDS.rows(this.database, [orgId]);
    return { last: Number(row?.last), given: Number(row?.given) };
  }

  /**
   * The next events of several organizations.
   * @param cursors after which position, by organization
   * @param most events of each
   * @returns pages of those that have any, or had
   */
  async after(cursors: ReadonlyMap<string, number>, most: number): Promise<ReadonlyMap<string, LogPage>> {
    const rows = await EVENTS_AFTER.rows(this.database, [[...cursors.keys()], [...cursors.values()], most]);
    const byOrg = groupedRows(rows, ({ org_id }) => org_id);
    return new Map(
      [...byOrg].map(([orgId, found]) => {
        const gone = Number(found[0]?.gone ?? 0);
        const end = Number(found.at(-1)?.position ?? gone);
        return [
          orgId,
          { gone, events: found.flatMap((row) => this.read(row)), end, hasMore: found.length === most },
        ];
      }),
    );
  }

  private read({ position, event, created_at }: OrgEventRow): LoggedEvent[] {
    const read = position === null ? null : this.kinds.read(event);
    return position === null || read === null || read.kind === AUDIT_KIND
      ? []
      : [{ position, event: read, at: created_at }];
  }
}
