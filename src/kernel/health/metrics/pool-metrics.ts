import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import { openPools } from '../../database';
import { Metrics } from '../../http';

/** The metrics of a pool, by its name: the one by which PostgreSQL knows its connections, without the service's. */
const FIGURES = {
  database_pool_connections: [
    'Connections to the database that are open, by pool.',
    (pool) => pool.totalCount,
  ],
  database_pool_idle: ['Connections of a pool that nobody uses now.', (pool) => pool.idleCount],
  database_pool_waiting: ['Callers that wait for a connection of a pool.', (pool) => pool.waitingCount],
  database_pool_max: ['Connections that a pool may have.', (pool) => pool.options.max],
} as const satisfies Readonly<Record<string, readonly [help: string, figure: (pool: Pool) => number]>>;

/** Metrics of this process's connections to the database. */
@Injectable()
export class PoolMetrics {
  constructor({ registry }: Metrics) {
    for (const [name, [help, figure]] of Object.entries(FIGURES))
      new Gauge({
        name,
        help,
        labelNames: ['pool'] as const,
        registers: [registry],
        collect() {
          this.reset();
          for (const pool of openPools()) this.inc({ pool: nameOf(pool) }, figure(pool));
        },
      });
  }
}

function nameOf({ options }: Pool): string {
  return options.application_name?.replace(/^org-conversation-service */, '') || 'requests';
}
