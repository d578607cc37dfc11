import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { postgresProcessesIn } from '../../../src/appliance/embedded-postgres/process-table';
import { eventually } from '../../support/eventually';
import { ServiceProcess } from '../../support/service/service-process';

const ANSWER_MS = 10_000;

const lineSchema = z.object({ pid: z.int().optional(), req: z.object({ path: z.string() }).optional() });

describe('a service of several processes', () => {
  const key = newKey();
  let dataDir: string;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'workers-'));
    await start();
  });
  afterAll(async () => {
    await service.discard();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  async function start(): Promise<void> {
    const env = { DATA_DIR: dataDir, BOOTSTRAP_KEY: key, WORKERS: '3', PROBE_CALLS_PER_MINUTE: '0' };
    service = ServiceProcess.start(env);
    url = await service.ready;
    await eventually(async () => expect((await answering()).size).toBe(3));
  }

  /** A request on a connection of its own; one that is handed to a process as it dies has no answer. @returns status and text */
  function ask(path: string): Promise<{ status: number | undefined; text: string }> {
    return new Promise((resolve, reject) => {
      const agent = new Agent({ keepAlive: false });
      const request = get(
        url + path,
        { agent, timeout: ANSWER_MS, headers: { 'X-Access-Token': key } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode, text }));
        },
      );
      request.on('timeout', () => request.destroy(new Error('There is no answer.'))).on('error', reject);
    });
  }

  /** The processes that answer some requests. */
  async function answering(): Promise<ReadonlySet<number>> {
    const marker = `/api/keys/${Math.random().toString(36).slice(2)}`;
    for (let n = 0; n < 6; n++) await ask(marker).catch(() => undefined);
    return new Set(
      service.output
        .split('\n')
        .filter((line) => line.includes(marker))
        .flatMap((line) => lineSchema.parse(JSON.parse(line)).pid ?? []),
    );
  }

  async function firstProcess(): Promise<number> {
    const text = await readFile(join(dataDir, 'postgres.json'), 'utf8');
    return z.object({ pid: z.int() }).parse(JSON.parse(text)).pid;
  }

  it('answers with each of them, and counts what all have answered', async () => {
    for (let n = 0; n < 9; n++) expect((await ask('/api/keys/current')).status).toBe(200);
    const { text } = await ask('/metrics');
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{.*route="\/api\/keys\/current",status="200"\} 9$/m,
    );
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
  });

  it('replaces one that dies, while the others go on', async () => {
    const first = await firstProcess();
    const before = await answering();
    const [other = 0] = [...before].filter((pid) => pid !== first);
    process.kill(other, 'SIGKILL');
    await eventually(async () => {
      const now = await answering();
      expect(now.size).toBe(3);
      expect(now).not.toContain(other);
    });
    expect(service.output).toContain('A worker ended (SIGKILL); another starts in 1 s.');
  });

  it('stops with all of them at one signal, the database at last', async () => {
    const pids = await answering();
    expect(await service.stop()).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await postgresProcessesIn(join(dataDir, 'postgres', 'data'))).toEqual([]);
    expect(service.errors).toBe('');
  });

  it('ends with the first, which has what there is once, and starts again as after any crash', async () => {
    await start();
    const pids = await answering();
    process.kill(await firstProcess(), 'SIGKILL');
    expect(await service.ended).toBe(1);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await start();
    expect(service.output).toContain('Stopped the PostgreSQL that an earlier run left behind.');
    expect(await service.stop()).toBe(0);
  });
});
