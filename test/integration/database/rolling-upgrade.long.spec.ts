import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '../../../src/database';
import { migrateJobs } from '../../../src/jobs';
import { ask } from '../../support/database/ask';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { type Receipt, type QueuedMessage, saying } from '../../support/queue/queued-messages';
import { ConversationClient } from '../../support/service/conversation-client';
import { makeKey } from '../../support/service/factories';
import {
  FIRST_BUILD,
  FIRST_SECRET_KEY,
  FirstRelease,
  firstReleaseDump,
} from '../../support/service/first-release';
import { ServiceProcess } from '../../support/service/service-process';

/** A replica, and the owner of the organization as its client. */
interface Running {
  readonly process: ServiceProcess;
  readonly url: string;
  readonly client: ConversationClient;
}

describe('a rolling upgrade from the first release', () => {
  let database: TestDatabase;
  let db: DataSource;
  let release: FirstRelease;
  let owner: { readonly org_id: string; readonly user_id: string };
  let key: string;
  /** One host each, as replicas in containers have; `DATA_DIR` stays when the release changes. */
  const hosts: string[] = [];
  const started: ServiceProcess[] = [];
  let old: Running;
  let fresh: Running;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await ask(database.url, await firstReleaseDump());
    await migrate(database.url, migrateJobs);
    db = await createDataSource(database.url, 2).initialize();
    [owner] = await db.query<[typeof owner]>(`SELECT org_id, user_id FROM org_members WHERE role = 'owner'`);
    ({ key } = await makeKey(db, owner.user_id));
    for (const name of ['old-host-', 'new-host-']) {
      const host = await mkdtemp(join(tmpdir(), name));
      // Sandboxes run as users of their own when the tests run as root.
      await chmod(host, 0o755);
      hosts.push(host);
    }
    release = await FirstRelease.unpack();
    [old, fresh] = await Promise.all([startOld(0), startNew(1)]);
  });
  afterAll(async () => {
    await Promise.all(started.map((service) => service.stop()));
    await db.destroy();
    await database.drop();
    await release.remove();
    for (const host of hosts) await rm(host, { recursive: true, force: true });
  });

  const envOf = (host: number): Record<string, string> => ({
    DATABASE_URL: database.url,
    SECRET_KEY: FIRST_SECRET_KEY,
    DATA_DIR: hosts[host] ?? '',
    JOB_LEASE_SECONDS: '2',
    LOG_LEVEL: 'info',
  });

  async function running(process: ServiceProcess): Promise<Running> {
    started.push(process);
    const url = await process.ready;
    return { process, url, client: new ConversationClient({ url }, key) };
  }
  const startOld = (host: number): Promise<Running> => running(release.start(envOf(host)));
  const startNew = (host: number): Promise<Running> => running(ServiceProcess.start(envOf(host)));

  /** Each release, with the other one. */
  const bothWays = (): (readonly [Running, Running])[] => [
    [old, fresh],
    [fresh, old],
  ];

  async function send({ client }: Running, id: string, text: string): Promise<void> {
    await eventually(async () => {
      const path = `/api/v1/app-conversations/${id}/send-message`;
      expect(await client.call('POST', path, { body: saying(text) })).toMatchObject({ status: 200 });
    });
  }

  function queue({ client }: Running, id: string, text: string, idempotencyKey?: string) {
    return client.call<Receipt>('POST', `/api/v1/conversations/${id}/pending-messages`, {
      body: saying(text),
      ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
    });
  }

  it('concerns every migration there is: none shuts the first release out', async () => {
    const [row] = await db.query<{ oldest: string }[]>(
      'SELECT max(oldest_build) AS oldest FROM schema_compatibility',
    );
    expect(Number(row?.oldest)).toBe(FIRST_BUILD);
  });

  it('has the old release run on the new schema, beside the new one', async () => {
    for (const { url } of [old, fresh])
      for (const path of ['/ready', '/health', '/alive'])
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    expect(old.process.errors).toBe('');
  });

  it('shows in both what the old release wrote before', async () => {
    const [kept] = await db.query<{ id: string }[]>(
      `SELECT id FROM conversations WHERE title = 'Made by the first release'`,
    );
    const id = kept?.id ?? '';
    const seen = await Promise.all(
      [old, fresh].map(async ({ client }) => ({
        title: (await client.record(id)).title,
        events: (await client.events(id)).map((event) => event.id),
        texts: await client.texts(id, 'user', 2),
        org: (await client.call(`GET`, `/api/organizations/${owner.org_id}/conversations`)).body,
      })),
    );
    expect(seen[0]?.texts).toContain('hello from the first release');
    expect(seen[0]?.events).toHaveLength(22);
    expect(seen[1]).toMatchObject(seen[0] ?? {});
  });

  it('lets both go on with the conversations of either', async () => {
    for (const [one, other] of bothWays()) {
      const id = await one.client.ready({
        title: 'Begun',
        initial_message: { role: 'user', ...saying('first') },
      });
      await other.client.texts(id, 'agent', 1);
      await send(other, id, 'second');
      await other.client.texts(id, 'agent', 2);
      await send(one, id, 'third');
      for (const { client } of [one, other]) {
        expect(await client.texts(id, 'user', 3)).toEqual(['first', 'second', 'third']);
        expect((await client.texts(id, 'agent', 3)).at(-1)).toContain('third');
        expect(await client.record(id)).toMatchObject({ title: 'Begun', sandbox_status: 'RUNNING' });
      }
    }
  });

  it('delivers what is queued in turn with both once and in order', async () => {
    for (const [one, other] of bothWays()) {
      const id = await one.client.ready();
      const texts = Array.from({ length: 8 }, (_, i) => `message ${i}`);
      for (const [i, text] of texts.entries())
        expect((await queue(i % 2 === 0 ? one : other, id, text)).status).toBe(200);
      for (const { client } of [one, other])
        expect(await client.texts(id, 'user', texts.length)).toEqual(texts);
      await eventually(async () => {
        const path = `/api/v1/conversations/${id}/pending-messages?state=delivered`;
        const { body } = await other.client.call<{ items: QueuedMessage[] }>('GET', path);
        expect(body.items).toHaveLength(texts.length);
      });
    }
  });

  it('delivers what was queued with both before either starts the conversation', async () => {
    for (const [one, other] of bothWays()) {
      const id = randomUUID();
      const texts = ['first', 'second', 'third'];
      for (const [i, text] of texts.entries())
        expect((await queue(i % 2 === 0 ? one : other, id, text)).status).toBe(200);
      expect(await other.client.ready({ conversation_id: id })).toBe(id);
      expect(await other.client.texts(id, 'user', texts.length)).toEqual(texts);
    }
  });

  it('replays with one what was asked of the other under an Idempotency-Key', async () => {
    for (const [one, other] of bothWays()) {
      const id = await one.client.ready();
      const idempotencyKey = randomUUID();
      const first = await queue(one, id, 'only once', idempotencyKey);
      const again = await queue(other, id, 'only once', idempotencyKey);
      expect(first.status).toBe(200);
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(await other.client.texts(id, 'user', 1)).toEqual(['only once']);
    }
  });

  it('replays what the old release was asked for a conversation to come', async () => {
    const id = randomUUID();
    const first = await queue(old, id, 'early, once', 'the same');
    expect(await queue(fresh, id, 'early, once', 'the same')).toMatchObject({
      status: 200,
      body: first.body,
    });
    await fresh.client.ready({ conversation_id: id });
    expect(await queue(fresh, id, 'early, once', 'the same')).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(await fresh.client.texts(id, 'user', 1)).toEqual(['early, once']);
  });

  it('has each take invitations, keys and settings of the other', async () => {
    for (const [one, other] of bothWays()) {
      const invitations = `/api/organizations/${owner.org_id}/members/invite`;
      const invited = await one.client.call<{ successful: { id: string }[] }>('POST', invitations, {
        body: { emails: [`${randomUUID()}@example.com`] },
      });
      const id = invited.body.successful[0]?.id ?? '';
      expect((await other.client.call('POST', `${invitations}/${id}/resend`)).status).toBe(200);
      expect((await other.client.call('DELETE', `${invitations}/${id}`)).status).toBe(204);

      const made = await one.client.call<{ key: string }>('POST', '/api/keys', { body: { name: 'made' } });
      const byKey = new ConversationClient(other, made.body.key);
      expect((await byKey.call('GET', '/api/keys/current')).status).toBe(200);

      const budget = Math.floor(Math.random() * 1_000) + 1;
      await one.client.call('POST', '/api/organizations/app', { body: { max_budget_per_task: budget } });
      expect((await other.client.call('GET', '/api/organizations/app')).body).toMatchObject({
        max_budget_per_task: budget,
      });
    }
  });

  it('has deleted with both what was deleted with one, and counts the same', async () => {
    for (const [one, other] of bothWays()) {
      const id = await one.client.ready();
      const path = `/api/v1/app-conversations/${id}`;
      expect((await other.client.call('DELETE', path)).status).toBe(200);
      for (const { client } of [one, other]) expect((await client.call('GET', path)).status).toBe(404);
    }
    const [ofOld, ofFresh] = await Promise.all(
      [old, fresh].map(({ client }) => client.call('GET', '/api/v1/app-conversations/count')),
    );
    expect(ofOld).toMatchObject({ status: 200, body: ofFresh?.body });
  });

  it('keeps conversations when the new release takes the place of the old one, and on the way back', async () => {
    const id = await old.client.ready({ initial_message: { role: 'user', ...saying('on the old one') } });
    expect(await old.client.texts(id, 'agent', 1)).toHaveLength(1);
    expect(await old.process.stop()).toBe(0);
    const upgraded = await startNew(0);
    await queue(upgraded, id, 'on the new one');
    await upgraded.client.call('POST', `/api/v1/sandboxes/${await sandboxOf(upgraded, id)}/resume`);
    expect(await upgraded.client.texts(id, 'user', 2)).toEqual(['on the old one', 'on the new one']);
    expect(await upgraded.client.texts(id, 'agent', 2)).toHaveLength(2);

    expect(await upgraded.process.stop()).toBe(0);
    const back = await startOld(0);
    await queue(back, id, 'back on the old one');
    await back.client.call('POST', `/api/v1/sandboxes/${await sandboxOf(back, id)}/resume`);
    expect((await back.client.texts(id, 'user', 3)).at(-1)).toBe('back on the old one');
    expect(await fresh.client.texts(id, 'agent', 3)).toHaveLength(3);
  });

  async function sandboxOf({ client }: Running, id: string): Promise<string> {
    return (await client.record(id)).sandbox_id;
  }
});

describe('a build that the schema shuts out', () => {
  it('ends with a sentence', async () => {
    const database = await createTestDatabase();
    const host = await mkdtemp(join(tmpdir(), 'older-'));
    try {
      await ask(database.url, 'INSERT INTO schema_compatibility VALUES (29990101000001, 29990101000000)');
      const service = ServiceProcess.start({
        DATABASE_URL: database.url,
        SECRET_KEY: FIRST_SECRET_KEY,
        DATA_DIR: host,
      });
      expect(await service.ended).toBe(1);
      expect(service.errors).toMatch(
        /^The database belongs to a newer build: it needs build 29990101000000 or newer, and this is build \d{14}\. [^\n]+\n$/,
      );
    } finally {
      await database.drop();
      await rm(host, { recursive: true, force: true });
    }
  });
});
