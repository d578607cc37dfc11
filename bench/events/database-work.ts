import type { Client } from 'pg';

/** What an operation has a database do, each as an average of one operation. */
interface Work {
  /** Statements of clients, beginnings and ends of transactions among them. */
  readonly roundTrips: number;
  readonly functions: Readonly<Record<string, number>>;
  /** Kinds of records in the log of writes. */
  readonly writes: Readonly<Record<string, number>>;
  readonly walBytes: number;
  /** The statements themselves, the most frequent first. */
  readonly statements: Readonly<Record<string, number>>;
}

const MOST_STATEMENTS = 30;
/** Less than one in twenty operations is of what goes on besides. */
const LEAST = 0.05;

/** Counts what a database does, which costs it time: never while that is measured. */
export class DatabaseWork {
  private startLsn = '';

  private constructor(private readonly operator: Client) {}

  /** @param operator a superuser's connection to a server that has loaded `pg_stat_statements` */
  static async prepare(operator: Client): Promise<DatabaseWork> {
    await operator.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await operator.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
    await operator.query(`ALTER SYSTEM SET track_functions = 'all'`);
    await operator.query('SELECT pg_reload_conf()');
    return new DatabaseWork(operator);
  }

  /** Counts from now on. */
  async begin(): Promise<void> {
    await this.operator.query('SELECT pg_stat_statements_reset()');
    await this.operator.query('SELECT pg_stat_reset()');
    this.startLsn = await this.lsn();
  }

  /** What was done since, for so many operations. */
  async end(operations: number): Promise<Work> {
    const endLsn = await this.lsn();
    const statements = await this.counts(
      `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 70) AS name, sum(calls) AS count FROM pg_stat_statements s
         JOIN pg_roles r ON r.oid = s.userid WHERE NOT r.rolsuper AND toplevel GROUP BY 1`,
      operations,
    );
    const [wal] = (
      await this.operator.query<{ bytes: string }>('SELECT $1::pg_lsn - $2::pg_lsn AS bytes', [
        endLsn,
        this.startLsn,
      ])
    ).rows;
    return {
      roundTrips: sum(statements),
      functions: await this.counts(
        'SELECT funcname AS name, calls AS count FROM pg_stat_user_functions',
        operations,
      ),
      writes: await this.counts(
        `SELECT concat_ws(' ', resource_manager, replace(record_type, '+INIT', '')) AS name, count(*) AS count
           FROM pg_get_wal_records_info($1, $2) GROUP BY 1`,
        operations,
        [this.startLsn, endLsn],
      ),
      walBytes: Math.round(Number(wal?.bytes) / operations),
      statements: Object.fromEntries(Object.entries(statements).slice(0, MOST_STATEMENTS)),
    };
  }

  private async lsn(): Promise<string> {
    const { rows } = await this.operator.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn');
    return rows[0]?.lsn ?? '';
  }

  private async counts(
    sql: string,
    operations: number,
    parameters: readonly unknown[] = [],
  ): Promise<Record<string, number>> {
    const { rows } = await this.operator.query<{ name: string; count: string }>(
      `SELECT name, count FROM (${sql}) AS c ORDER BY count DESC, name`,
      [...parameters],
    );
    const each = rows.map(
      ({ name, count }) => [name, Math.round((100 * Number(count)) / operations) / 100] as const,
    );
    return Object.fromEntries(each.filter(([, count]) => count >= LEAST));
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Math.round(100 * Object.values(counts).reduce((all, count) => all + count, 0)) / 100;
}
