import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import request from 'supertest';
import { fromBufferPromise } from 'yauzl';
import { fill } from '../../support/database/fill';
import { startTestApp, type TestApp } from '../../support/service/app';
import { storeConversation, storeSandbox } from '../../support/queue/conversation-rows';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' } });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id);
});
afterAll(() => app.close());

const pathOf = (id: string): string => `/api/v1/app-conversations/${id}/download`;

async function conversation(): Promise<string> {
  const { id } = await storeConversation(app.db, { org_id: owner.orgId, created_by_user_id: owner.userId });
  return id;
}

/** Writes events past the service, a second apart. */
async function store(conversationId: string, events: readonly { id: string; text: string }[]): Promise<void> {
  await fill(
    app.database,
    `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT $1, e.id, n, 'MessageEvent', timestamptz '2026-01-01' + n * interval '1 s', e.payload
       FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS e (id, payload, n)`,
    [conversationId, events.map(({ id }) => id), events.map(({ text }) => text)],
  );
  await app.db.query('INSERT INTO event_logs (conversation_id, last_seq) VALUES ($1, $2)', [
    conversationId,
    events.length,
  ]);
}

/** Writes the one event that a conversation has some times more; as it is stored, compressed. */
async function repeat(conversationId: string, times: number): Promise<void> {
  await fill(
    app.database,
    `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT conversation_id, n::text, n, kind, occurred_at, payload FROM events, generate_series(2, $2 + 1) AS n
      WHERE conversation_id = $1`,
    [conversationId, times],
  );
}

/** Names and contents of what a caller downloads, in the order of the archive. */
async function download(id: string, key = owner.key): Promise<[string, string][]> {
  const response = await request(app.url)
    .get(pathOf(id))
    .auth(key, { type: 'bearer' })
    .responseType('blob')
    .expect(200)
    .expect('Content-Type', 'application/zip')
    .expect('Content-Disposition', `attachment; filename="conversation-${id}.zip"`);
  const zip = await fromBufferPromise(response.body as Buffer);
  const files: [string, string][] = [];
  for await (const entry of zip.eachEntry())
    files.push([entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8')]);
  return files;
}

describe('GET /api/v1/app-conversations/{conversation_id}/download', () => {
  it('has each event as it was received, in the order of time', async () => {
    const id = await conversation();
    const texts = ['{"id":"a-1", "cost": 1.0}', '{"id":"../up","big":12345678901234567890123}', '{"id":"ü"}'];
    await store(id, [
      { id: 'a-1', text: texts[0] ?? '' },
      { id: '../up', text: texts[1] ?? '' },
      { id: 'ü', text: texts[2] ?? '' },
    ]);
    expect((await download(id)).slice(1)).toEqual([
      ['event_00001_a-1.json', texts[0]],
      ['event_00002.json', texts[1]],
      ['event_00003.json', texts[2]],
    ]);
  });

  it.each([
    ['*/*', 'application/zip'],
    ['application/zip, */*;q=0.5', 'application/zip'],
    ['application/octet-stream', 'application/octet-stream'],
    ['application/json', 'application/zip'],
  ])('to a client that accepts %s is sent as %s', async (accept, type) => {
    const response = await request(app.url)
      .get(pathOf(await conversation()))
      .auth(owner.key, { type: 'bearer' })
      .set('Accept', accept)
      .expect(200);
    expect(response.headers['content-type']).toBe(type);
  });

  it('begins with the record, without the way to its agent server', async () => {
    const sandbox_id = await storeSandbox(
      app.db,
      { org_id: owner.orgId, created_by_user_id: owner.userId },
      { status: 'RUNNING', port: 20_001 },
    );
    const { id } = await storeConversation(app.db, {
      org_id: owner.orgId,
      created_by_user_id: owner.userId,
      sandbox_id,
      title: 'A title',
      tags: { large: 'x'.repeat(5_000) },
      pr_number: [1, 2],
    });
    const { body } = await call<Record<string, unknown>>(app, 'GET', `/api/v1/app-conversations/${id}`, {
      key: owner.key,
    });
    expect(body).toMatchObject({ title: 'A title', sandbox_status: 'RUNNING' });
    expect(body.conversation_url).not.toBeNull();
    const files = await download(id);
    expect(files.map(([name]) => name)).toEqual(['meta.json']);
    expect(JSON.parse(files[0]?.[1] ?? '')).toEqual({
      ...body,
      conversation_url: null,
      session_api_key: null,
      workspace: null,
    });
  });

  it('leaves nothing out of many events, and of some that are large', async () => {
    const id = await conversation();
    const events = Array.from({ length: 1_000 }, (_, n) => ({
      id: `event-${n}`,
      text: JSON.stringify({ n, text: 'x'.repeat(n % 100 === 7 ? 3_000_000 : 10) }),
    }));
    await store(id, events);
    const files = (await download(id)).slice(1);
    expect(files.map(([name]) => name)).toEqual(
      events.map((event, n) => `event_${String(n + 1).padStart(5, '0')}_${event.id}.json`),
    );
    expect(files.every(([, text], n) => text === events[n]?.text)).toBe(true);
  });

  it('says so when an archive cannot hold them all', async () => {
    const id = await conversation();
    await app.db.query('INSERT INTO event_logs (conversation_id, last_seq) VALUES ($1, 65535)', [id]);
    const { status, body } = await call<ErrorBody>(app, 'GET', pathOf(id), { key: owner.key });
    expect([status, body.code]).toEqual([409, 'too_many_events']);
  });

  it('says so, too, when they are too large in all', async () => {
    const id = await conversation();
    await store(id, [{ id: 'large', text: '{}' }]);
    await app.db.query(
      `UPDATE events SET payload = repeat('x', 8000000) WHERE conversation_id = $1`, // compressed
      [id],
    );
    await repeat(id, 500);
    const { status, body } = await call<ErrorBody>(app, 'GET', pathOf(id), { key: owner.key });
    expect([status, body.code]).toEqual([409, 'too_many_events']);
  });

  /** One that is larger than what the way to the caller holds. */
  async function largeConversation(): Promise<string> {
    const id = await conversation();
    await store(id, [{ id: 'large', text: JSON.stringify(randomBytes(3_000_000).toString('hex')) }]);
    await repeat(id, 5);
    return id;
  }

  /** Begins to download four of them, and reads none. */
  async function beginFour(id: string, { url }: TestApp): Promise<Response[]> {
    const headers = { Authorization: `Bearer ${owner.key}` };
    const begun = await Promise.all(Array.from({ length: 4 }, () => fetch(url + pathOf(id), { headers })));
    expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return begun;
  }

  it('is written for four at once of each user', async () => {
    const id = await largeConversation();
    const begun = await beginFour(id, app);
    const { status, body, headers } = await call<ErrorBody>(app, 'GET', pathOf(id), { key: owner.key });
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_downloads', '10']);
    for (const response of begun) await response.body?.cancel();
  });

  it('is broken off when nobody reads it, which makes room for others', async () => {
    const env = { APP_ROLE: 'api', DOWNLOAD_IDLE_SECONDS: '1' };
    const impatient = await startTestApp({ env, database: app.database });
    const id = await largeConversation();
    const begun = await beginFour(id, impatient);
    await eventually(async () => {
      const headers = { Authorization: `Bearer ${owner.key}` };
      const again = await fetch(impatient.url + pathOf(id), { headers });
      await again.body?.cancel();
      expect(again.status).toBe(200);
    });
    const ends = await Promise.allSettled(begun.map((response) => response.arrayBuffer()));
    expect(ends.some(({ status }) => status === 'rejected')).toBe(true);
    await impatient.close();
  });

  it('is for those who may read the conversation', async () => {
    const id = await conversation();
    const admin = await makeCaller(app.db, owner.orgId, 'admin');
    expect((await download(id, admin.key)).map(([name]) => name)).toEqual(['meta.json']);
    const strangers = [
      await makeCaller(app.db, owner.orgId),
      await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner'),
    ];
    for (const { key } of strangers) {
      const { status, body } = await call<ErrorBody>(app, 'GET', pathOf(id), { key });
      expect([status, body.code]).toEqual([404, 'conversation_not_found']);
    }
  });
});
