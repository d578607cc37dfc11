import { readdirSync, readFileSync } from 'node:fs';
import type { Installation } from './installation';

const MEBIBYTE = 2 ** 20;

/** What the service and the database use at a time. */
export interface Sample {
  readonly atSeconds: number;
  readonly rssMebibytes: number;
  readonly heapMebibytes: number;
  readonly descriptors: number;
  readonly databaseConnections: number;
  readonly eventLoopLagP99Ms: number;
}

/** Takes a sample from the process, its metrics and the database. */
export async function takeSample({ service, db }: Installation, atSeconds: number): Promise<Sample> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const rows = await db.query<{ count: string }[]>(
    `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'org-conversation-service%'`,
  );
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
  return {
    atSeconds: Math.round(atSeconds),
    rssMebibytes: Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024),
    heapMebibytes: Math.round(metric(metrics, 'nodejs_heap_size_used_bytes') / MEBIBYTE),
    descriptors: readdirSync(`/proc/${service.child.pid}/fd`).length,
    databaseConnections: Number(rows[0]?.count),
    eventLoopLagP99Ms: Math.round(metric(metrics, 'nodejs_eventloop_lag_p99_seconds') * 10_000) / 10,
  };
}

function metric(text: string, name: string): number {
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1]);
}
