import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { CliProcess } from '../../support/backup/cli-process';
import { createEmptyDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { type QueuedMessage, saying } from '../../support/queue/queued-messages';
import { ConversationClient } from '../../support/service/conversation-client';
import { ServiceProcess } from '../../support/service/service-process';
import { CallbackReceiver } from '../../support/webhooks/callback-receiver';

const HOOK = '/hook';
const NOTE = 'what an agent left in its folder';

interface Key {
  readonly id: number;
  readonly name: string;
}

describe('an installation of which only a backup is left', () => {
  const folders: string[] = [];
  let receiver: CallbackReceiver;
  let file: string;
  let org: string;
  let key: string;
  let secretKey: string;
  let hookSecret: string;
  let conversation: { readonly id: string; readonly sandboxId: string };
  let events: readonly string[];
  /** Names of keys that were made before the backup began, and until it had ended. */
  let before: readonly string[];
  let until: readonly string[];

  beforeAll(async () => {
    receiver = await CallbackReceiver.start();
    file = join(await folder('backups-'), 'backup.age');
    const env = envOf(await folder('before-'));
    ({ org_id: org, key } = (await CliProcess.run(
      ['org:create', '--name', 'Ours', '--owner-email', 'owner@example.com'],
      env,
    )) as { org_id: string; key: string });
    const service = ServiceProcess.start(env);
    try {
      const client = new ConversationClient({ url: await service.ready }, key);
      await fill(client, env.DATA_DIR ?? '');
      await backUpWhileWriting(client, env);
      secretKey = (await readFile(join(env.DATA_DIR ?? '', 'secret.key'), 'utf8')).trim();
    } finally {
      await service.stop();
    }
    await rm(env.DATA_DIR ?? '', { recursive: true });
  });
  afterAll(async () => {
    await receiver.stop();
    for (const path of folders) await rm(path, { recursive: true, force: true });
  });

  async function folder(name: string): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), name));
    folders.push(path);
    // Sandboxes run as users of their own when the tests run as root.
    await chmod(path, 0o755);
    return path;
  }

  const envOf = (dataDir: string): Record<string, string> => ({
    DATA_DIR: dataDir,
    JOB_LEASE_SECONDS: '2',
    WEBHOOK_ALLOWED_HOSTS: receiver.host,
  });

  const keysOf = async (client: ConversationClient): Promise<Key[]> =>
    (await client.call<Key[]>('GET', '/api/keys')).body;

  /** A conversation with events, in a paused sandbox for which two messages wait; a secret; a webhook. */
  async function fill(client: ConversationClient, dataDir: string): Promise<void> {
    const secret = { name: 'TOKEN', value: 'the value of a secret' };
    expect(await client.call('POST', '/api/v1/secrets', { body: secret })).toMatchObject({ status: 201 });
    const id = await client.ready({ title: 'Kept', initial_message: { role: 'user', ...saying('first') } });
    await client.texts(id, 'agent', 1);
    const { sandbox_id: sandboxId } = await client.record(id);
    conversation = { id, sandboxId };
    await writeFile(join(dataDir, 'sandboxes', 'embedded', sandboxId, 'note.txt'), NOTE);
    await client.call('POST', `/api/v1/sandboxes/${sandboxId}/pause`);
    await eventually(async () => expect((await client.record(id)).sandbox_status).toBe('PAUSED'));
    for (const text of ['second', 'third'])
      await client.call('POST', `/api/v1/conversations/${id}/pending-messages`, { body: saying(text) });
    events = (await client.events(id)).map((event) => event.id);
    const hook = await client.call<{ secret: string }>('POST', `/api/organizations/${org}/webhooks`, {
      body: { url: receiver.url(HOOK), kinds: ['*'] },
    });
    hookSecret = hook.body.secret;
  }

  /** Makes keys all the time, one after the other. */
  async function backUpWhileWriting(
    client: ConversationClient,
    env: Readonly<Record<string, string>>,
  ): Promise<void> {
    const made: string[] = [];
    const backup = CliProcess.run(['backup', '--to', file], env);
    const running = new AbortController();
    void backup.finally(() => running.abort()).catch(() => undefined);
    const makeKey = async (): Promise<void> => {
      const name = `key ${made.length}`;
      const { status } = await client.call('POST', '/api/keys', { body: { name } });
      if (status === 200) made.push(name);
      else await new Promise((resolve) => setTimeout(resolve, 50)); // too many at once
    };
    await makeKey();
    before = [...made];
    while (!running.signal.aborted) await makeKey();
    expect(await backup).toMatchObject({ file, files: expect.any(Number) as number });
    until = [...made];
  }

  it('is in a file for its owner only', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const bytes = await readFile(file);
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    for (const text of [secretKey, 'owner@example.com', 'first', NOTE])
      expect(bytes.includes(text)).toBe(false);
  });

  describe.each(['the embedded database', 'a database of its own'])('goes on with %s', (kind) => {
    let database: TestDatabase | undefined;
    let service: ServiceProcess | undefined;
    let client: ConversationClient;

    beforeAll(async () => {
      const env = envOf(await folder('after-'));
      if (kind !== 'the embedded database') {
        database = await createEmptyDatabase();
        Object.assign(env, { DATABASE_URL: database.url, SECRET_KEY: secretKey });
      }
      await CliProcess.run(['restore', '--from', file], env);
      receiver.received.splice(0);
      service = ServiceProcess.start(env);
      client = new ConversationClient({ url: await service.ready }, key);
      const note = join(env.DATA_DIR ?? '', 'sandboxes', 'embedded', conversation.sandboxId, 'note.txt');
      expect(await readFile(note, 'utf8')).toBe(NOTE);
    });
    afterAll(async () => {
      await client.call('DELETE', `/api/v1/sandboxes/${conversation.sandboxId}`);
      await eventually(async () =>
        expect((await client.record(conversation.id)).sandbox_status).toBe('MISSING'),
      ).catch(() => undefined);
      await service?.stop();
      await database?.drop();
    });

    it('has everything that was written before the backup, and no gap in what was written during it', async () => {
      expect((await client.call('GET', '/api/keys/current')).status).toBe(200);
      const names = (await keysOf(client)).map(({ name }) => name).filter((name) => name.startsWith('key '));
      expect(names.sort()).toEqual(until.slice(0, names.length).sort());
      expect(names.length).toBeGreaterThanOrEqual(before.length);
      expect(await client.record(conversation.id)).toMatchObject({ title: 'Kept', sandbox_status: 'PAUSED' });
      expect((await client.events(conversation.id)).map((event) => event.id)).toEqual(events);
    });

    it('delivers what was queued, once, when the sandbox is resumed', async () => {
      const { id, sandboxId } = conversation;
      expect((await client.call('POST', `/api/v1/sandboxes/${sandboxId}/resume`)).status).toBe(200);
      await client.texts(id, 'user', 3);
      await eventually(async () => {
        const path = `/api/v1/conversations/${id}/pending-messages?state=delivered`;
        const { items } = (await client.call<{ items: QueuedMessage[] }>('GET', path)).body;
        expect(items.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
      });
      expect(await client.texts(id, 'agent', 3)).toHaveLength(3);
      expect(await client.texts(id, 'user', 3)).toEqual(['first', 'second', 'third']);
    });

    it('reads the secrets', async () => {
      const { session_api_key } = await client.record(conversation.id);
      const path = `/api/v1/sandboxes/${conversation.sandboxId}/settings/secrets/TOKEN`;
      const headers = { 'X-Session-API-Key': session_api_key ?? '' };
      expect(await client.call('GET', path, { headers })).toMatchObject({
        status: 200,
        body: 'the value of a secret',
      });
    });

    it('calls webhooks back with the secret they have', async () => {
      const callback = await eventually(() => {
        const [first] = receiver.at(HOOK);
        if (first === undefined) throw new Error('None has arrived.');
        return first;
      });
      const headers = callback.headers as Record<string, string>;
      expect(() => new Webhook(hookSecret).verify(callback.body, headers)).not.toThrow();
    });

    it('gives what is new ids of its own', async () => {
      const { status, body } = await client.call<Key>('POST', '/api/keys', { body: { name: 'new' } });
      expect(status).toBe(200);
      const ids = (await keysOf(client)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(body.id).toBeGreaterThan(Math.max(...ids.filter((id) => id !== body.id)));
    });
  });
});
