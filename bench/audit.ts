/**
 * What rows of the audit log cost: a change, a refused call and a message, to a service with `AUDIT_LOG=on` and to one without, over
 * one database and alternately; and how many rows are numbered, chained and stored in a second. Another process numbers and chains
 * them, after the calls are answered; of PostgreSQL its work counts. Needs the built service (`npm run build`).
 *
 *   npm run bench -- audit [--rounds 9] [--seconds 4] [--rows 100000]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Pool } from 'undici';
import { createDataSource } from '../src/kernel/database';
import { recorded } from '../test/support/audit/audit-rows';
import { storeConversation } from '../test/support/queue/conversation-rows';
import { makeCaller, makeOrg } from '../test/support/service/factories';
import { freePort } from '../test/support/service/free-port';
import { type MeasuredService, MeasuredServices } from './measured-services';
import { options } from './options';
import { postgresProcessorMs, processorMs } from './processor-time';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { rounds, seconds, rows } = options({ rounds: 9, seconds: 4, rows: 100_000 });
const AT_ONCE = 4;
const ORGANIZATIONS = 20;
const MODES = ['on', 'off'] as const;
type Mode = (typeof MODES)[number];

/** A request that is sent again and again. */
interface Case {
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  readonly key: string;
  readonly status: number;
  /** @param n how many were sent before it */
  body(n: number): object;
}

/** Of one call, in ms. */
interface Cost {
  readonly ms: number;
  readonly serviceCpuMs: number;
  readonly postgresCpuMs: number;
}

async function turn(services: MeasuredServices, { child, port }: MeasuredService, sent: Case): Promise<Cost> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: AT_ONCE });
  const headers = { 'X-Access-Token': sent.key, 'Content-Type': 'application/json' };
  const times: number[] = [];
  const [service, postgres] = [processorMs(child.pid), await postgresProcessorMs(services.databaseFolder)];
  const end = performance.now() + seconds * 1_000;
  const one = async (): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      const { method, path } = sent;
      const body = JSON.stringify(sent.body(times.length));
      const { statusCode, body: answer } = await pool.request({ method, path, headers, body });
      await answer.dump();
      if (statusCode !== sent.status) throw new Error(`${path} was answered with ${statusCode}.`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  await pool.close();
  // What is written after the responses belongs to them.
  await sleep(500);
  return {
    ms: median(times),
    serviceCpuMs: (processorMs(child.pid) - service) / times.length,
    postgresCpuMs: ((await postgresProcessorMs(services.databaseFolder)) - postgres) / times.length,
  };
}

/** Both alternately, each first in every other round; the medians, and what the log takes in their terms. */
async function compare(services: MeasuredServices, both: Record<Mode, MeasuredService>, sent: Case) {
  const costs: Record<Mode, Cost[]> = { on: [], off: [] };
  for (const mode of MODES) await turn(services, both[mode], sent);
  for (let round = 0; round < rounds; round++)
    for (const mode of round % 2 === 0 ? MODES : MODES.toReversed())
      costs[mode].push(await turn(services, both[mode], sent));
  const of = (mode: Mode, figure: keyof Cost): number => median(costs[mode].map((cost) => cost[figure]));
  const figures = (figure: keyof Cost) => ({
    on: rounded(of('on', figure)),
    off: rounded(of('off', figure)),
    ratio: rounded(of('on', figure) / of('off', figure)),
  });
  return {
    ms: figures('ms'),
    serviceCpuMs: figures('serviceCpuMs'),
    postgresCpuMs: figures('postgresCpuMs'),
  };
}

/** Rows that are logged at once, until the last of them is in its chain. */
async function rowsPerSecond(db: DataSource): Promise<number> {
  const orgIds: string[] = [];
  while (orgIds.length < ORGANIZATIONS) orgIds.push((await makeOrg(db)).id);
  const stored = async (): Promise<number> => {
    const [row] = await db.query<[{ count: string }]>(
      'SELECT count(*) FROM audit_log WHERE org_id = ANY ($1)',
      [orgIds],
    );
    return Number(row.count);
  };
  const event = JSON.stringify(recorded(null));
  await db.query(
    `INSERT INTO domain_events (org_id, kind, event)
     SELECT o.id, 'audit.recorded', ($1::jsonb || jsonb_build_object('org_id', o.id, 'entry_id', gen_random_uuid()))::json
       FROM generate_series(1, $2::int) n, unnest($3::uuid[]) AS o (id)`,
    [event, Math.ceil(rows / ORGANIZATIONS), orgIds],
  );
  const began = performance.now();
  const expected = Math.ceil(rows / ORGANIZATIONS) * ORGANIZATIONS;
  while ((await stored()) < expected) await sleep(50);
  return Math.round(expected / ((performance.now() - began) / 1_000));
}

async function casesOf(db: DataSource, agentUrl: string): Promise<Record<string, Case>> {
  const owner = await makeCaller(db, (await makeOrg(db)).id, 'owner');
  const member = await makeCaller(db, owner.orgId);
  const by = { org_id: owner.orgId, created_by_user_id: owner.userId };
  const sandbox_id = randomUUID();
  await db.query(
    `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, base_url, port, working_dir, last_activity_at)
     VALUES ($1, $2, $3, 'external', 'RUNNING', $4, $5, 'workspace', now())`,
    [sandbox_id, owner.orgId, owner.userId, agentUrl, Number(new URL(agentUrl).port)],
  );
  const { id } = await storeConversation(db, { ...by, sandbox_id });
  const [org, conversation] = [`/api/organizations/${owner.orgId}`, `/api/v1/app-conversations/${id}`];
  const { key } = owner;
  const message = { content: [{ type: 'text', text: 'Now run the tests again, please.' }] };
  return {
    renameOrganization: {
      method: 'PATCH',
      path: org,
      key,
      status: 200,
      body: (n) => ({ name: `Name ${n}` }),
    },
    updateConversation: {
      method: 'PATCH',
      path: conversation,
      key,
      status: 200,
      body: (n) => ({ title: `Title ${n}` }),
    },
    refused: {
      method: 'POST',
      path: `${org}/roles`,
      key: member.key,
      status: 403,
      body: () => ({ name: 'x', permissions: ['view_audit_log'] }),
    },
    sendMessage: {
      method: 'POST',
      path: `${conversation}/send-message`,
      key,
      status: 200,
      body: () => message,
    },
  };
}

function startAgentServer(port: number): ChildProcess {
  const program = join(__dirname, 'send-message', 'agent-server.ts');
  return spawn(process.execPath, ['--require', '@swc-node/register', program], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

async function main(): Promise<void> {
  const agentPort = await freePort();
  const agentUrl = `http://127.0.0.1:${agentPort}`;
  const agentServer = startAgentServer(agentPort);
  const env = {
    ...UNLIMITED,
    SANDBOX_DRIVER: 'external',
    AGENT_SERVER_URL: agentUrl,
    AGENT_SERVER_API_KEY: 'bench',
    EXTERNAL_ORG_ID: '*',
    LLM_MODEL: 'bench',
  };
  const services = await MeasuredServices.start(env);
  const db = await createDataSource(services.databaseUrl, 2).initialize();
  try {
    const both = {
      on: await services.replica('on', { ...env, AUDIT_LOG: 'on' }),
      off: await services.replica('off', { ...env, AUDIT_LOG: 'off' }),
    };
    const calls: Record<string, unknown> = {};
    for (const [name, sent] of Object.entries(await casesOf(db, agentUrl)))
      calls[name] = await compare(services, both, sent);
    const chained = await rowsPerSecond(db);
    report('audit', {
      parameters: { rounds, seconds, rows, atOnce: AT_ONCE },
      calls,
      rowsPerSecond: chained,
    });
  } finally {
    await db.destroy();
    await services.stop();
    agentServer.kill('SIGTERM');
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
