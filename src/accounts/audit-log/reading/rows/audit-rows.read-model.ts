import { queryRows, type SqlRunner } from '../../../../kernel/database';
import type { AuditFilter } from './audit-filter';

/*
 * By hand because pages begin at a pair of columns, which indexes have, only what is asked for is in the statement, so that it is
 * planned for just that, and the names of users, who belong to the module of organizations, come with it
 * (docs/decisions/0064-reading-the-audit-log.md).
 */

/** A row as it is stored, with its personal part and whose name it is, as far as they are there. */
export interface AuditRow {
  readonly position: string;
  readonly at: Date;
  /** The row as JSON text. */
  readonly entry: string;
  readonly hash: Buffer;
  /** Address and user agent as JSON text; null once they were erased. */
  readonly personal: string | null;
  readonly actor_name: string | null;
  readonly actor_email: string | null;
}

/** Where a page begins. */
export interface AuditPlace {
  readonly at: Date;
  readonly position: string;
}

/** A statement with its parameters. */
export interface AuditStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Puts a statement together from what is asked for. */
class Conditions {
  readonly parameters: unknown[] = [];
  private readonly parts: string[] = [];

  constructor(filter: AuditFilter) {
    this.add('at >= ?', filter.since);
    this.add('at < ?', filter.until);
    this.add('actor_user_id = ?::uuid', filter.actor);
    this.add('action = ?', filter.action);
    this.add('target_id = ?', filter.target);
    this.add('outcome = ?', filter.outcome);
  }

  /** @param part with a `?` for each value @returns itself */
  add(part: string, ...values: readonly unknown[]): this {
    if (values.includes(null)) return this;
    let place = this.parameters.length;
    this.parts.push(part.replaceAll('?', () => `$${++place}`));
    this.parameters.push(...values);
    return this;
  }

  /** The rows that are meant, in an order; what belongs to each is looked up for these alone. */
  statement(order: string, limit: number): AuditStatement {
    const where = this.parts.length === 0 ? '' : `WHERE ${this.parts.join(' AND ')}`;
    const by = (table: string): string => order.replaceAll(/\b(at|position)\b/g, `${table}$1`);
    return {
      sql: `SELECT l.position, l.at, l.entry, l.hash, p.personal, u.name AS actor_name, u.email AS actor_email
              FROM (SELECT position, at, actor_user_id, entry, hash FROM audit_log
                     ${where} ORDER BY ${by('')} LIMIT ${limit}) l
              LEFT JOIN audit_personal p ON p.position = l.position
              LEFT JOIN users u ON u.id = l.actor_user_id
             ORDER BY ${by('l.')}`,
      parameters: this.parameters,
    };
  }
}

const NEWEST_FIRST = 'at DESC, position DESC';
const OLDEST_FIRST = 'at, position';

/** A page of an organization, the newest first. @param from its first row; null for the first page */
export function newestRows(
  orgId: string,
  filter: AuditFilter,
  from: AuditPlace | null,
  limit: number,
): AuditStatement {
  return new Conditions(filter)
    .add('org_id = ?::uuid', orgId)
    .add('(at, position) <= (?::timestamptz, ?::bigint)', from?.at ?? null, from?.position ?? null)
    .statement(NEWEST_FIRST, limit);
}

/** The rows of an organization behind one, the oldest first. @param after the last row before; null for the first ones */
export function oldestRows(
  orgId: string,
  filter: AuditFilter,
  after: AuditPlace | null,
  limit: number,
): AuditStatement {
  return new Conditions(filter)
    .add('org_id = ?::uuid', orgId)
    .add('(at, position) > (?::timestamptz, ?::bigint)', after?.at ?? null, after?.position ?? null)
    .statement(OLDEST_FIRST, limit);
}

/** The rows of an organization behind a position, in the order of positions: what comes later has higher ones. */
export function rowsBehind(orgId: string, filter: AuditFilter, after: string, limit: number): AuditStatement {
  return new Conditions(filter)
    .add('org_id = ?::uuid', orgId)
    .add('position > ?::bigint', after)
    .statement('position', limit);
}

/**
 * Rows in the order of positions, at the command line.
 * @param orgId of one organization; null for what belongs to none, undefined for all there is
 */
export function auditRowsByPosition(
  database: SqlRunner,
  orgId: string | null | undefined,
  filter: AuditFilter,
  after: string,
  limit: number,
): Promise<AuditRow[]> {
  const conditions = new Conditions(filter).add('position > ?::bigint', after);
  if (orgId === null) conditions.add('org_id IS NULL');
  else if (orgId !== undefined) conditions.add('org_id = ?::uuid', orgId);
  const { sql, parameters } = conditions.statement('position', limit);
  return queryRows<AuditRow>(database, sql, parameters);
}
