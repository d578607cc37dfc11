/**
 * Sandboxes in a Kubernetes cluster, as whoever asks for them sees them: a conversation from the request to READY, in a pod
 * that has to be made and in one that was pre-warmed; a pause until the pod is gone, and a resume until it answers; a killed
 * pod until it is noticed; many at once, what the service needs for them, and what it asks the cluster while nothing happens.
 * Needs `KUBERNETES_KIT`; with `--real 1` the image with the real agent server is measured, for which `CONTAINER_KIT` is
 * needed too.
 *
 *   npm run bench -- kubernetes [--rounds 10] [--sandboxes 90] [--real 1]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { pathOf } from '../src/drivers/kubernetes/objects/paths';
import { compileSources, removeCompiledSources } from '../test/support/compiled/compiled-sources';
import { ClusterFixture } from '../test/support/kubernetes/cluster-fixture';
import { serviceAccount } from '../test/support/kubernetes/service-account';
import { removeCluster, reserveCluster, TestCluster } from '../test/support/kubernetes/test-cluster';
import { withRealImage } from '../test/support/agent-server/story-sandboxes';
import { freePort } from '../test/support/service/free-port';
import { ServiceProcess } from '../test/support/service/service-process';
import { options } from './options';
import { quantile, round } from './org-list-load';
import { report } from './report';

const { rounds: ROUNDS, sandboxes: SANDBOXES, real: REAL } = options({ rounds: 10, sandboxes: 90, real: 0 });
const KEY = newKey();
const POLL_MS = 20;
const UNHURRIED_POLL_MS = 250;
/** So many ask for one after the other. */
const AT_ONCE = 10;
const WARM = 3;
const IDLE_SECONDS = 60;

interface SandboxRecord {
  readonly id: string;
  readonly status: string;
  readonly status_detail: string | null;
}

interface StartTask {
  readonly id: string;
  readonly status: string;
  readonly detail: string | null;
  readonly sandbox_id: string;
}

type Env = Readonly<Record<string, string>>;

/** A service of its own, with its sandboxes in a namespace of its own. */
class Bench {
  private constructor(
    readonly fixture: ClusterFixture,
    private readonly service: ServiceProcess,
    private readonly url: string,
    private readonly folder: string,
  ) {}

  static async start(cluster: TestCluster, env: Env): Promise<Bench> {
    const namespace = await cluster.makeNamespace('bench');
    const files = ['rights.yaml', 'components/warm-sandboxes/rights.yaml'];
    const fixture = await ClusterFixture.open(
      cluster,
      namespace,
      await serviceAccount(cluster, namespace, files),
    );
    const folder = mkdtempSync(join(tmpdir(), 'bench-kubernetes-'));
    const port = await freePort();
    const service = ServiceProcess.start({
      ...fixture.env,
      HOST: fixture.host,
      PORT: String(port),
      DATA_DIR: folder,
      BOOTSTRAP_KEY: KEY,
      MAX_SANDBOXES: '1000',
      MAX_SANDBOXES_PER_ORG: '1000',
      SANDBOX_START_SECONDS: '600',
      // So little that many fit on one node; Python needs more to start.
      ...(REAL > 0 ? {} : { SANDBOX_CPUS: '0.1', SANDBOX_MEMORY_MEBIBYTES: '128' }),
      ...env,
    });
    await service.ready;
    return new Bench(fixture, service, `http://${fixture.host}:${port}`, folder);
  }

  async call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'x-access-token': KEY, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }

  async until(id: string, status: string, pollMs = POLL_MS): Promise<void> {
    for (;;) {
      const [record] = await this.call<SandboxRecord[]>('GET', `/api/v1/sandboxes?id=${id}`);
      if (record?.status === status) return;
      if (record?.status === 'ERROR') throw new Error(`Sandbox ${id}: ${record.status_detail}`);
      await sleep(pollMs);
    }
  }

  async create(): Promise<void> {
    const { id } = await this.call<SandboxRecord>('POST', '/api/v1/sandboxes');
    await this.until(id, 'RUNNING', UNHURRIED_POLL_MS);
  }

  /** Starts a conversation, and waits until it is READY. @returns the id of its sandbox */
  async converse(): Promise<string> {
    let task = await this.call<StartTask>('POST', '/api/v1/app-conversations', {});
    while (task.status !== 'READY') {
      if (task.status === 'ERROR') throw new Error(`The start failed: ${task.detail}`);
      await sleep(POLL_MS);
      const path = `/api/v1/app-conversations/start-tasks?ids=${task.id}`;
      task = (await this.call<StartTask[]>('GET', path))[0] ?? task;
    }
    return task.sandbox_id;
  }

  async gone(id: string): Promise<void> {
    while ((await this.fixture.remains(id)).some((what) => what.startsWith('pods/'))) await sleep(POLL_MS);
  }

  /** MiB of its resident memory. */
  memory(): number {
    const pages = Number(readFileSync(`/proc/${this.service.child.pid}/statm`, 'utf8').split(' ')[1]);
    return round((pages * 4) / 1024);
  }

  async apiRequests(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const counts = [...text.matchAll(/^kubernetes_api_requests_total\{.*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  async filled(cluster: TestCluster): Promise<void> {
    const path = pathOf('sandboxwarmpools', this.fixture.namespace, 'sandboxes');
    for (;;) {
      const pool = (await cluster.api.get(path)) as { status?: { readyReplicas?: number } };
      if (pool.status?.readyReplicas === WARM) return;
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.fixture.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

function summary(times: readonly number[]): { p50: number; p90: number; max: number } {
  return { p50: quantile(times, 0.5), p90: quantile(times, 0.9), max: round(Math.max(...times)) };
}

async function oneAfterTheOther(cluster: TestCluster, env: Env): Promise<Record<string, unknown>> {
  const bench = await Bench.start(cluster, env);
  const times = {
    cold: [] as number[],
    pause: [] as number[],
    resume: [] as number[],
    noticed: [] as number[],
  };
  try {
    for (let n = 0; n < ROUNDS; n++) {
      let id = '';
      times.cold.push(await timed(async () => (id = await bench.converse())));
      times.pause.push(
        await timed(async () => {
          await bench.call('POST', `/api/v1/sandboxes/${id}/pause`);
          await bench.gone(id);
        }),
      );
      await sleep(500);
      times.resume.push(
        await timed(async () => {
          await bench.call('POST', `/api/v1/sandboxes/${id}/resume`);
          await bench.until(id, 'RUNNING');
        }),
      );
      await bench.fixture.kill(id);
      times.noticed.push(await timed(() => bench.until(id, 'ERROR')));
      await bench.call('DELETE', `/api/v1/sandboxes/${id}`);
    }
  } finally {
    await bench.stop();
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, summary(all)]));
}

async function fromPool(cluster: TestCluster, env: Env): Promise<unknown> {
  const bench = await Bench.start(cluster, { ...env, SANDBOX_WARM: String(WARM) });
  const times: number[] = [];
  try {
    for (let n = 0; n < ROUNDS; n++) {
      await bench.filled(cluster);
      let id = '';
      times.push(await timed(async () => (id = await bench.converse())));
      if ((await bench.fixture.remains(id)).every((what) => !what.startsWith('sandboxclaims/')))
        throw new Error(`Sandbox ${id} was not pre-warmed.`);
      await bench.call('DELETE', `/api/v1/sandboxes/${id}`);
      await bench.gone(id);
    }
  } finally {
    await bench.stop();
  }
  return summary(times);
}

async function many(cluster: TestCluster): Promise<Record<string, unknown>> {
  const bench = await Bench.start(cluster, {});
  try {
    const before = bench.memory();
    let left = SANDBOXES;
    const allRunning = await timed(async () => {
      const oneByOne = async (): Promise<void> => {
        while (left-- > 0) await bench.create();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, oneByOne));
    });
    await sleep(10_000);
    const requests = await bench.apiRequests();
    await sleep(IDLE_SECONDS * 1_000);
    const idle = (await bench.apiRequests()) - requests;
    return {
      sandboxes: SANDBOXES,
      seconds_until_all_run: round(allRunning / 1_000),
      memory_mebibytes: { before, after: bench.memory() },
      api_requests_in_an_idle_minute: idle,
      api_requests_each: round(requests / SANDBOXES),
    };
  } finally {
    await bench.stop();
  }
}

async function inTurn(cluster: TestCluster, env: Env): Promise<unknown> {
  const measured = { ...(await oneAfterTheOther(cluster, env)), warm: await fromPool(cluster, env) };
  process.stderr.write(`${JSON.stringify(measured)}\n`);
  return measured;
}

async function main(): Promise<void> {
  await Promise.all([compileSources(), reserveCluster()]);
  try {
    const cluster = await TestCluster.shared();
    if (REAL > 0) {
      const env = await withRealImage(cluster);
      report('kubernetes-real', { rounds: ROUNDS, milliseconds: await inTurn(cluster, env) });
    } else {
      report('kubernetes', {
        rounds: ROUNDS,
        milliseconds: await inTurn(cluster, {}),
        many: { at_once: AT_ONCE, ...(await many(cluster)) },
      });
    }
    await cluster.close();
  } finally {
    await Promise.all([removeCluster(), removeCompiledSources()]);
  }
}

void main();
