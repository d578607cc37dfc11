import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { ROOT } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';
import { freePort } from '../../support/service/free-port';
import { call } from '../../support/service/http';
import { ServiceProcess } from '../../support/service/service-process';

describe('the example of a back end', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let child: ChildProcess;
  let url: string;
  let secret: string;
  let output = '';

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'back-end-'));
    // PostgreSQL runs as a user of its own when the tests run as root.
    await chmod(dataDir, 0o755);
    const host = `127.0.0.1:${await freePort()}`;
    url = `http://${host}`;
    service = ServiceProcess.start({ DATA_DIR: dataDir, WEBHOOK_ALLOWED_HOSTS: host });
    const api = await service.ready;
    const key = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const { body: who } = await call<{ org_id: string }>({ url: api }, 'GET', '/api/keys/current', { key });
    const made = await call<{ secret: string }>(
      { url: api },
      'POST',
      `/api/organizations/${who.org_id}/webhooks`,
      { key, body: { url: `${url}/callbacks`, kinds: ['message.*', 'MessageEvent'] } },
    );
    ({ secret } = made.body);
    child = spawn(process.execPath, [join(ROOT, 'examples', 'back-end', 'back-end.mjs')], {
      env: { API: api, KEY: key, SECRET: secret, PORT: new URL(url).port },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (output += part));
    await eventually(() => expect(output).toContain(`The back end is at ${url}.`));
  });

  afterAll(async () => {
    const ended = once(child, 'close');
    child.kill();
    await ended;
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const post = (path: string, text: string): Promise<Response> =>
    fetch(url + path, { method: 'POST', body: JSON.stringify({ text }) });

  /** Reads what is said in a chat until it has a text. @returns the ids and texts of what came */
  async function answers(chat: string, until: string, after?: string): Promise<string> {
    const reader = new AbortController();
    const headers = after === undefined ? {} : { 'Last-Event-ID': after };
    const stream = await fetch(`${url}/chats/${chat}/answers`, { headers, signal: reader.signal });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    let read = '';
    for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
      read += part;
      if (/\n\n$/.test(read) && read.includes(until)) break;
    }
    reader.abort();
    return read;
  }

  it('starts a chat, queues what is said, passes on the answers, and goes on where a reader was', async () => {
    const started = await post('/chats', 'Hello');
    expect(started.status).toBe(201);
    const { id } = (await started.json()) as { id: string };
    expect((await post(`/chats/${id}/messages`, 'And now this')).status).toBe(202);
    const read = await answers(id, 'Echo from the embedded agent server: And now this');
    expect(read).toContain('Echo from the embedded agent server: Hello');
    const last = [...read.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
    expect((await post(`/chats/${id}/messages`, 'The last')).status).toBe(202);
    expect(await answers(id, 'agent server: The last', last)).not.toContain('agent server: And now this');
    await eventually(() => expect(output).toContain(`message.delivered ${id}\n`));
  });

  it('knows no chats but its own', async () => {
    const chat = '0af30000-0000-4000-8000-000000000000';
    expect((await post(`/chats/${chat}/messages`, 'Hello')).status).toBe(404);
    expect((await fetch(`${url}/chats/${chat}/answers`)).status).toBe(404);
  });

  it('takes callbacks that are signed with its secret, and answers others with a 400', async () => {
    const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} });
    const calls = async (by: string): Promise<number> => {
      const [id, now] = ['msg_1', new Date()];
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(by).sign(id, now, body),
      };
      return (await fetch(`${url}/callbacks`, { method: 'POST', headers, body })).status;
    };
    expect(await calls(secret)).toBe(204);
    expect(await calls('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(400);
    expect((await fetch(`${url}/callbacks`, { method: 'POST', body })).status).toBe(400);
    expect(output.split('webhook.test')).toHaveLength(2);
  });
});
