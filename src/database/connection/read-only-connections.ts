import type { Pool } from 'pg';

/**
 * Closes the idle connections of a pool after one of them turned out to be read-only. A session stays read-only when
 * the database becomes writable again, or when its host name leads to another server.
 */
export function replaceIdleConnections(pool: Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1)
    pool.connect((error, _client, release) => {
      if (error === undefined) release(true);
    });
}
