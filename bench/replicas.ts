/**
 * What callers notice while replicas, the database and the network between them fail: two replicas behind nginx that are
 * restarted in turn, and the same without a restart; a database whose standby is promoted; a replica that is cut off from
 * the database. Times, failed requests, and messages that were lost or doubled. Needs nginx and the built service
 * (`npm run build`).
 *
 *   npm run bench -- replicas [--rounds 3] [--seconds 15]
 */
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { startEmbeddedPostgres } from '../src/appliance/embedded-postgres';
import { isSend } from '../test/support/agent-server/agent-server-calls';
import { AgentServerDouble } from '../test/support/agent-server/agent-server-double';
import { ReplicatedPostgres } from '../test/support/database/replicated-postgres';
import { eventually } from '../test/support/eventually';
import { Nginx } from '../test/support/replicas/nginx';
import { ConversationClient } from '../test/support/service/conversation-client';
import { freePort } from '../test/support/service/free-port';
import { LossyLink } from '../test/support/service/lossy-link';
import { median } from './hot-paths';
import { options } from './options';
import { report } from './report';
import { Callers } from './replicas/callers';
import { Replica } from './streams/replica';

const { rounds, seconds } = options({ rounds: 3, seconds: 15 });
const CONVERSATIONS = 8;
const MESSAGES = 5;
const STOP_DELAY_SECONDS = 3;
const READY_MS = 200;
const PATIENCE_MS = 120_000;
/** For what comes late. */
const AFTERWARDS_MS = 15_000;

type Deliveries = ReadonlyMap<string, readonly string[]>;

/** What all scenarios have: an agent server, a key, and a folder for `DATA_DIR`. */
class Scene {
  readonly key = newKey();
  private constructor(
    readonly folder: string,
    readonly double: AgentServerDouble,
  ) {}

  static async open(): Promise<Scene> {
    return new Scene(await mkdtemp(join(tmpdir(), 'bench-replicas-')), await AgentServerDouble.start());
  }

  replica(databaseUrl: string, name: string, env: Readonly<Record<string, string>> = {}): Promise<Replica> {
    return Replica.start(databaseUrl, join(this.folder, name), {
      BOOTSTRAP_KEY: this.key,
      SANDBOX_DRIVER: 'external',
      LLM_MODEL: 'echo',
      LOG_LEVEL: 'silent',
      AGENT_SERVER_URL: this.double.url,
      AGENT_SERVER_API_KEY: this.double.target.apiKey,
      ...env,
    });
  }

  async conversations(url: string): Promise<string[]> {
    const client = new ConversationClient({ url }, this.key);
    const ids: string[] = [];
    while (ids.length < CONVERSATIONS) ids.push(await client.ready());
    return ids;
  }

  /** Waits until everything is delivered that was acknowledged, or for long. */
  async allDelivered(acknowledged: Deliveries): Promise<void> {
    await eventually(() => {
      if (this.count(acknowledged).lost > 0) throw new Error('Some are on their way.');
    }, PATIENCE_MS).catch(() => undefined);
  }

  /** How many were acknowledged, lost and doubled by now. */
  count(acknowledged: Deliveries): { acknowledged: number; lost: number; doubled: number } {
    const counts = { acknowledged: 0, lost: 0, doubled: 0 };
    for (const [id, texts] of acknowledged) {
      const delivered = this.double.messages(id).map(({ text }) => text);
      const different = new Set(delivered);
      counts.acknowledged += texts.length;
      counts.lost += texts.filter((text) => !different.has(text)).length;
      counts.doubled += delivered.length - different.size;
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.double.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function rollingRestart(databaseUrl: string) {
  const scene = await Scene.open();
  const ports = [await freePort(), await freePort()] as const;
  const nginx = await Nginx.start(ports);
  const launch = (port: number): Promise<Replica> =>
    scene.replica(databaseUrl, String(port), {
      PORT: String(port),
      TRUSTED_HOPS: '1',
      STOP_DELAY_SECONDS: String(STOP_DELAY_SECONDS),
    });
  const replicas = new Map<number, Replica>();
  for (const port of ports) replicas.set(port, await launch(port));
  const callers = new Callers(nginx.url, scene.key, await scene.conversations(nginx.url));
  // As docs/scaling.md wants it: by the responses nginx learns which replica is about to stop.
  const probing = setInterval(() => void fetch(`${nginx.url}/ready`).catch(() => null), READY_MS);
  try {
    await pause(seconds * 200);
    const quietFrom = performance.now();
    await pause(seconds * 1_000);
    const from = performance.now();
    for (const port of ports) {
      await replicas.get(port)?.stop();
      replicas.delete(port);
      replicas.set(port, await launch(port));
    }
    const to = performance.now();
    await callers.stop();
    await scene.allDelivered(callers.acknowledged);
    return {
      restartOfBothSeconds: Math.round((to - from) / 100) / 10,
      quiet: callers.during(quietFrom, from),
      restarting: callers.during(from, to),
      messages: scene.count(callers.acknowledged),
    };
  } finally {
    clearInterval(probing);
    await callers.stop();
    for (const replica of replicas.values()) await replica.stop();
    await nginx.stop();
    await scene.close();
  }
}

async function promotion() {
  const scene = await Scene.open();
  const postgres = await ReplicatedPostgres.make();
  const replica = await scene.replica(postgres.url, 'one');
  const callers = new Callers(replica.url, scene.key, await scene.conversations(replica.url));
  try {
    await pause(2_000);
    await postgres.killPrimary();
    const killed = performance.now();
    postgres.moveAddress();
    await postgres.promote();
    const promoted = performance.now();
    await pause(AFTERWARDS_MS);
    await callers.stop();
    await scene.allDelivered(callers.acknowledged);
    return {
      promotionMs: Math.round(promoted - killed),
      withoutWritesMs: callers.withoutWrites(killed),
      messages: scene.count(callers.acknowledged),
    };
  } finally {
    await callers.stop();
    await replica.stop();
    await postgres.remove();
    await scene.close();
  }
}

async function cutOff(databaseUrl: string) {
  const scene = await Scene.open();
  const link = await LossyLink.start(databaseUrl);
  const replicas = [await scene.replica(link.url, 'one'), await scene.replica(databaseUrl, 'other')];
  const [first] = replicas;
  try {
    const client = new ConversationClient({ url: first?.url ?? '' }, scene.key);
    const queued = new Map<string, string[]>();
    for (const id of await scene.conversations(first?.url ?? '')) queued.set(id, []);
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    scene.double.fail({ kind: 'held', until, unlessGone: true }, isSend, Infinity);
    for (let n = 0; n < MESSAGES; n++)
      for (const [id, texts] of queued) {
        const body = { content: [{ type: 'text', text: `message ${n}` }] };
        const { status } = await client.call('POST', `/api/v1/conversations/${id}/pending-messages`, {
          body,
        });
        if (status === 200) texts.push(`message ${n}`);
      }
    await eventually(() => {
      if (scene.double.arrived(isSend).length === 0) throw new Error('Nothing is on its way.');
    });
    const lost = performance.now();
    link.lose();
    scene.double.heal();
    release();
    await scene.allDelivered(queued);
    const deliveredByAnotherMs = Math.round(performance.now() - lost);
    // What it sends once it is back counts as well.
    link.restore();
    await eventually(async () => {
      if ((await client.call('GET', '/ready')).status !== 200) throw new Error('It is not back yet.');
    }, PATIENCE_MS);
    await pause(AFTERWARDS_MS);
    return { deliveredByAnotherMs, messages: scene.count(queued) };
  } finally {
    link.restore();
    for (const replica of replicas) await replica.stop();
    await link.close();
    await scene.close();
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-replicas-database-'));
  const silent = { info: () => undefined, warn: () => undefined };
  const measured = { rollingRestart: [], promotion: [], cutOff: [] } as {
    rollingRestart: Awaited<ReturnType<typeof rollingRestart>>[];
    promotion: Awaited<ReturnType<typeof promotion>>[];
    cutOff: Awaited<ReturnType<typeof cutOff>>[];
  };
  for (let round = 0; round < rounds; round++) {
    for (const scenario of ['rollingRestart', 'cutOff'] as const) {
      const dataDir = join(folder, `${scenario}-${round}`);
      const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
      if (scenario === 'cutOff') measured.cutOff.push(await cutOff(postgres.url));
      else measured.rollingRestart.push(await rollingRestart(postgres.url));
      await postgres.stop();
    }
    measured.promotion.push(await promotion());
  }
  await rm(folder, { recursive: true, force: true });
  report('replicas', {
    rounds,
    callers: CONVERSATIONS,
    stopDelaySeconds: STOP_DELAY_SECONDS,
    medians: {
      restartOfBothSeconds: median(measured.rollingRestart.map((one) => one.restartOfBothSeconds)),
      p99WhileRestartingMs: median(measured.rollingRestart.map(({ restarting }) => restarting.p99Ms)),
      p99OtherwiseMs: median(measured.rollingRestart.map(({ quiet }) => quiet.p99Ms)),
      promotionMs: median(measured.promotion.map(({ promotionMs }) => promotionMs)),
      withoutWritesMs: median(measured.promotion.map(({ withoutWritesMs }) => withoutWritesMs)),
      deliveredByAnotherMs: median(measured.cutOff.map(({ deliveredByAnotherMs }) => deliveredByAnotherMs)),
    },
    ...measured,
  });
}

void main();
