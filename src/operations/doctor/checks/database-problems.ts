import type { DatabaseReport } from '../../../kernel/database';
import { fail, type Finding, ok, warn } from '../finding';

/** What the connections of one process may add up to. */
const CONNECTIONS = 40;
const SLOW_MS = 20;
const SKEW_MS = 2_000;

/** What is wrong with a server, by what it says of itself. */
export function problemsOf(report: DatabaseReport): Finding[] {
  const { latencyMs, clockAheadMs, freeConnections } = report;
  const skew = `The clock of the database is ${(Math.abs(clockAheadMs) / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const free = `${freeConnections} connections to the database are free.`;
  return [
    ...(report.isReadOnly
      ? [fail('writing', 'The database is read-only.', 'Let DATABASE_URL lead to the primary server.')]
      : []),
    ...(report.mayMigrate
      ? []
      : [
          fail(
            'rights',
            'The role of DATABASE_URL may not make tables in its database.',
            'Make it the owner: ALTER DATABASE … OWNER TO …',
          ),
        ]),
    ...(report.hasTrigrams
      ? []
      : [
          fail(
            'pg_trgm',
            'The server does not have the extension pg_trgm.',
            'Install the contrib modules of PostgreSQL there.',
          ),
        ]),
    ...(latencyMs > SLOW_MS
      ? [
          warn(
            'latency',
            `The database takes ${latencyMs.toFixed(0)} ms for a small statement, of which a request makes several.`,
            'Run the service near the database.',
          ),
        ]
      : []),
    Math.abs(clockAheadMs) > SKEW_MS
      ? warn('clock', skew, 'Synchronize both clocks (NTP): keys and sessions expire by either of them.')
      : ok('clock', 'The clocks of this machine and of the database agree.'),
    freeConnections < CONNECTIONS
      ? warn(
          'connections',
          free,
          `A process uses up to ${CONNECTIONS}: raise max_connections, or the limit of the role, or set up a pooler.`,
        )
      : ok('connections', free),
  ];
}
