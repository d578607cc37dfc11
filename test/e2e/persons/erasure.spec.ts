import { randomUUID } from 'node:crypto';
import type { ErasureResponse } from '../../../src/accounts/persons/erasure/erasures.dto';
import { IdentityProviders, ProvisionedPeople } from '../../../src/accounts/identity-providers';
import { makeProvider } from '../../support/identity/providers';
import { Directory } from '../../support/scim/directory';
import { everyColumn } from '../../support/database/every-column';
import { rowDigests } from '../../support/database/row-digests';
import type { TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { rowsWith, SomeonePersonal } from '../../support/persons/person';
import { ConversationService } from '../../support/service/conversation-service';
import {
  makeCaller,
  makeKey,
  makeMember,
  makeOrg,
  makeUser,
  type TestCaller,
} from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';
import { storeConversation } from '../../support/queue/conversation-rows';
import { giveConversations } from '../../support/persons/many-conversations';
import { textsInFolder } from '../../support/texts-in-folder';

type Answer = ErasureResponse & ErrorBody;

let service: ConversationService;
let owner: TestCaller;
beforeAll(async () => {
  service = await ConversationService.start();
  ({ owner } = service);
});
afterAll(() => service.close());

const memberPath = (userId: string, query = '', orgId = owner.orgId): string =>
  `/api/organizations/${orgId}/erasures/${userId}${query}`;
const ask = (userId: string, query = '', by = owner) =>
  call<Answer>(service.app, 'POST', memberPath(userId, query, by.orgId), { key: by.key });
const stateOf = async (userId: string, by = owner): Promise<string> =>
  (await call<Answer>(service.app, 'GET', memberPath(userId, '', by.orgId), { key: by.key })).body.state;
const done = (userId: string, by = owner): Promise<void> =>
  eventually(async () => expect(await stateOf(userId, by)).toBe('done'), 60_000);
const askOwn = (key: string, confirmation: string, query = '') =>
  call<Answer>(service.app, 'POST', `/api/users/me/erasure${query}`, { key, body: { confirmation } });
const hold = async (body: object): Promise<string> => {
  const made = await call<{ id: string }>(
    service.app,
    'POST',
    `/api/organizations/${owner.orgId}/legal-holds`,
    {
      key: owner.key,
      body: { ...body, reason: 'A case' },
    },
  );
  expect(made.status).toBe(201);
  return made.body.id;
};
const lift = (id: string) =>
  call(service.app, 'DELETE', `/api/organizations/${owner.orgId}/legal-holds/${id}`, { key: owner.key });

/** What erasures change, and what goes on in the background does not. */
const KEPT = [
  'users',
  'org_members',
  'erasures',
  'api_keys',
  'user_secrets',
  'conversations',
  'events',
  'legal_holds',
];
async function kept({ db }: TestApp): Promise<Record<string, string | undefined>> {
  const digests = await rowDigests(db);
  return Object.fromEntries(KEPT.map((table) => [table, digests[table]]));
}

const usersOf = (email: string) =>
  service.app.db.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [email]);

/** What became of an erasure that the person asked for, which no organization is told of. */
const doneEverywhere = (userId: string): Promise<void> =>
  eventually(async () => {
    const rows = await service.app.db.query<object[]>('SELECT state FROM erasures WHERE user_id = $1', [
      userId,
    ]);
    expect(rows).toEqual([{ state: 'done' }]);
  });

describe('an erased member', () => {
  it('leaves nothing in any column of any table, nor in the data folder, and others as they are', async () => {
    const { app } = service;
    const [person, other] = [await SomeonePersonal.make(app, owner), await SomeonePersonal.make(app, owner)];
    const { userId } = person.caller;
    const live = await service.begin({
      initial_message: { content: [{ type: 'text', text: 'of the owner' }] },
    });
    await service.ended(live.id);
    // A conversation with an agent server that runs, and of which it has the texts on disk.
    const own = await call<{ id: string; sandbox_id: string }>(app, 'POST', '/api/v1/app-conversations', {
      key: person.caller.key,
      body: { initial_message: { content: [{ type: 'text', text: `Hello ${person.word}` }] } },
    });
    await eventually(async () => {
      expect(await textsInFolder(service.dataDir, [person.word])).not.toEqual([]);
    }, 60_000);
    await call(app, 'POST', `/api/organizations/${owner.orgId}/webhooks`, {
      key: owner.key,
      body: { url: 'https://hooks.example.com/x', kinds: ['*'] },
    });
    const theirs = [other.caller.userId, other.word, ...other.conversationIds];
    const before = await rowsWith(app, theirs);
    expect(await everyColumn(app.db, person.texts)).not.toEqual([]);

    const preview = await ask(userId, '?dry_run=true');
    expect(preview).toMatchObject({
      status: 202,
      body: { state: 'preview', of_account: true, obstacle: null, org_id: owner.orgId },
    });
    expect(preview.body.counts).toMatchObject({
      conversations: 3,
      secrets: 1,
      git_credentials: 1,
      api_keys: 2,
    });
    expect((await ask(userId)).body).toMatchObject({ state: 'working', of_account: true });
    expect((await call(app, 'GET', '/api/keys/current', { key: person.caller.key })).status).toBe(401);
    await done(userId);

    await eventually(async () => expect(await everyColumn(app.db, person.texts)).toEqual([]), 30_000);
    await eventually(
      async () => expect(await textsInFolder(service.dataDir, person.texts)).toEqual([]),
      60_000,
    );
    expect(await rowsWith(app, theirs)).toEqual(before);
    const [sandbox] = await app.db.query<{ status: string }[]>('SELECT status FROM sandboxes WHERE id = $1', [
      own.body.sandbox_id,
    ]);
    expect(sandbox?.status).toBe('MISSING');
    const events = await app.db.query<{ event: object }[]>(
      `SELECT event FROM domain_events WHERE kind = 'person.erased' AND event->>'user_id' = $1`,
      [userId],
    );
    expect(events).toHaveLength(1);
  });

  it('stays as a user of figures: without address and name, and what was spent by day, but not on what', async () => {
    const person = await SomeonePersonal.make(service.app, owner);
    const { userId } = person.caller;
    const toldApart = async (): Promise<unknown> => {
      const [row] = await service.app.db.query<{ n: number }[]>(
        'SELECT count(*)::integer AS n FROM usage_of_users WHERE user_id = $1',
        [userId],
      );
      return row?.n;
    };
    await eventually(async () => {
      await service.app.db.query('SELECT usage_fold(1000, 100, 100)');
      expect(await toldApart()).toBeGreaterThan(0);
    });
    await ask(userId);
    await done(userId);
    const [user] = await service.app.db.query<object[]>(
      'SELECT email, name, disabled_at IS NOT NULL AS disabled, erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
      [userId],
    );
    expect(user).toEqual({ email: null, name: null, disabled: true, erased: true });
    await eventually(async () => {
      const [row] = await service.app.db.query<{ conversations: string }[]>(
        `SELECT sum(conversations) AS conversations FROM usage_by_day WHERE dimension = 'user' AND value = $1`,
        [userId],
      );
      expect(Number(row?.conversations)).toBe(2);
    });
    expect(await toldApart()).toBe(0);
  });

  it('does not come back by a directory: it finds nobody, and whom it tells of anew is another user', async () => {
    const { app } = service;
    const directory = await Directory.make(app);
    const email = `${randomUUID()}@example.com`;
    const said = await directory.person(email);
    const [before] = await usersOf(email);
    expect((await ask(before!.id, '', directory.owner)).body).toMatchObject({ state: 'working' });
    await done(before!.id, directory.owner);
    const active = { Operations: [{ op: 'replace', path: 'active', value: true }] };
    expect((await directory.send('PATCH', `/Users/${said.id}`, active)).status).toBe(404);
    expect((await directory.found(`userName eq "${email}"`)).length).toBe(0);
    await directory.person(email);
    expect((await usersOf(email)).map(({ id }) => id)).not.toContain(before!.id);
    expect((await ask(before!.id, '', directory.owner)).body.code).toBe('already_erased');
  });

  it('does not come back by a provider: the same subject is another user', async () => {
    const { app, db } = service.app;
    const company = await makeCaller(db, (await makeOrg(db)).id, 'owner');
    const { id, domain } = await makeProvider(db, {
      orgId: company.orgId,
      issuer: 'https://idp.example.com',
      defaultRole: 'member',
    });
    const provider = await app.get(IdentityProviders, { strict: false }).find(id);
    const people = app.get(ProvisionedPeople, { strict: false });
    const given = {
      subject: 'robin',
      email: `robin@${domain}`,
      emailVerified: true,
      name: 'Robin',
      groups: null,
    };
    const first = await people.settle(provider!, given);
    await ask(first.userId, '', company);
    await done(first.userId, company);
    const second = await people.settle(provider!, given);
    expect(second.userId).not.toBe(first.userId);
    const [user] = await db.query<object[]>(
      'SELECT email, erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
      [first.userId],
    );
    expect(user).toEqual({ email: null, erased: true });
  });
});

describe('an erasure', () => {
  it('that only says what it would do changes nothing', async () => {
    const { caller } = await SomeonePersonal.make(service.app, owner);
    const before = await kept(service.app);
    expect((await ask(caller.userId, '?dry_run=true')).body.counts).toMatchObject({
      conversations: 2,
      events: 4,
      messages: 2,
    });
    await askOwn(caller.key, caller.email, '?dry_run=true');
    expect(await kept(service.app)).toEqual(before);
  });

  it('by an owner is of their organization, and of the account only where there is no other', async () => {
    const { app } = service;
    const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { caller, conversationIds } = await SomeonePersonal.make(app, owner);
    await makeMember(app.db, elsewhere.orgId, 'member', {
      id: caller.userId,
      email: caller.email,
      name: null,
    });
    const there = await storeConversation(app.db, {
      org_id: elsewhere.orgId,
      created_by_user_id: caller.userId,
      title: 'Elsewhere',
    });
    expect((await ask(caller.userId)).body).toMatchObject({ of_account: false, org_id: owner.orgId });
    await done(caller.userId);
    const titles = await app.db.query<{ title: string | null }[]>(
      'SELECT title FROM conversations WHERE id = ANY ($1) ORDER BY title NULLS LAST',
      [[...conversationIds, there.id]],
    );
    expect(titles.map(({ title }) => title)).toEqual(['Elsewhere', null, null]);
    const record = await call(app, 'GET', `/api/v1/app-conversations/${there.id}`, { key: caller.key });
    expect(record.status).toBe(200);
  });

  it('by an owner leaves the account of whom another organization holds, as a former member', async () => {
    const { app } = service;
    const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const member = await makeCaller(app.db, owner.orgId);
    await app.db.query(
      `INSERT INTO legal_holds (id, org_id, user_id, reason, created_by_user_id)
       VALUES (gen_random_uuid(), $1, $2, 'Case 1', $3)`,
      [elsewhere.orgId, member.userId, elsewhere.userId],
    );
    expect(await ask(member.userId)).toMatchObject({ status: 202, body: { of_account: false } });
    await done(member.userId);
    expect(await app.db.query('SELECT email FROM users WHERE id = $1', [member.userId])).toEqual([
      { email: member.email },
    ]);
  });

  it('of oneself needs the own address, and with a bound key is of that organization', async () => {
    const { app } = service;
    const { caller } = await SomeonePersonal.make(app, owner);
    const before = await kept(app);
    expect((await askOwn(caller.key, 'somebody@example.com')).body.code).toBe('confirmation_mismatch');
    expect(await kept(app)).toEqual(before);
    const bound = await makeKey(app.db, caller.userId, { orgId: owner.orgId });
    const scoped = await makeKey(app.db, caller.userId, { scopes: ['use_conversations'] });
    expect((await askOwn(scoped.key, caller.email)).body.code).toBe('key_scope_missing');
    expect((await askOwn(bound.key, caller.email, '?dry_run=true')).body).toMatchObject({
      org_id: owner.orgId,
    });
    expect((await askOwn(caller.key, ` ${caller.email.toUpperCase()} `)).body).toMatchObject({
      state: 'working',
      org_id: null,
    });
    expect((await call(app, 'GET', '/api/users/me/erasure', { key: caller.key })).status).toBe(401);
    await doneEverywhere(caller.userId);
  });

  it('is refused to who is no owner, of oneself as a member, of strangers, and of service accounts', async () => {
    const { app } = service;
    const admin = await makeCaller(app.db, owner.orgId, 'admin');
    const member = await makeMember(app.db, owner.orgId);
    const stranger = await makeUser(app.db);
    const before = await kept(app);
    expect((await ask(member.id, '', admin)).body.code).toBe('permission_denied');
    expect((await ask(owner.userId)).body.code).toBe('own_erasure');
    for (const nobody of [stranger.id, 'not-an-id', '00000000-0000-4000-8000-000000000000']) {
      expect((await ask(nobody)).body.code).toBe('member_not_found');
      expect(await call(service.app, 'GET', memberPath(nobody), { key: owner.key })).toMatchObject({
        status: 404,
      });
    }
    expect(await kept(app)).toEqual(before);
  });

  it('waits for another owner where there are other members, and not where there are none', async () => {
    const { app } = service;
    const only = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const member = await makeMember(app.db, only.orgId);
    expect((await askOwn(only.key, only.email)).body.code).toBe('last_owner');
    expect((await askOwn(only.key, only.email, '?dry_run=true')).body.obstacle).toBe('last_owner');
    await app.db.query('DELETE FROM org_members WHERE user_id = $1', [member.id]);
    expect((await askOwn(only.key, only.email)).status).toBe(202);
  });

  it('is there once: while one waits or goes on, another is a conflict', async () => {
    const { caller, conversationIds } = await SomeonePersonal.make(service.app, owner);
    const id = await hold({ conversation_id: conversationIds[0] });
    expect((await ask(caller.userId, '?when=lifted')).body.state).toBe('waiting');
    expect((await ask(caller.userId, '?when=lifted')).body.code).toBe('erasure_under_way');
    await lift(id);
    await done(caller.userId);
    expect((await ask(caller.userId)).body.code).toBe('already_erased');
  });

  it('that waits in one organization keeps nobody from erasing what is elsewhere, and ends by itself', async () => {
    const { app } = service;
    const elsewhere = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const { caller, conversationIds } = await SomeonePersonal.make(app, owner);
    await makeMember(app.db, elsewhere.orgId, 'member', {
      id: caller.userId,
      email: caller.email,
      name: null,
    });
    const id = await hold({ conversation_id: conversationIds[0] });
    expect((await ask(caller.userId, '?when=lifted')).body.state).toBe('waiting');
    expect((await askOwn(caller.key, caller.email)).body.code).toBe('legal_hold');
    await call(app, 'DELETE', `/api/organizations/${owner.orgId}/members/${caller.userId}`, {
      key: owner.key,
    });
    // The account stays for as long as something of it is held.
    expect((await ask(caller.userId, '', elsewhere)).body).toMatchObject({ of_account: false });
    await done(caller.userId, elsewhere);
    const titles = () =>
      app.db.query<object[]>('SELECT 1 FROM conversations WHERE id = ANY ($1) AND title IS NOT NULL', [
        conversationIds,
      ]);
    expect(await titles()).toHaveLength(2);
    await lift(id);
    await done(caller.userId);
    expect(await titles()).toEqual([]);
  });

  it('is refused under a legal hold on the person or on a conversation, and begins when the last is lifted', async () => {
    const { app } = service;
    const { caller, conversationIds } = await SomeonePersonal.make(app, owner);
    const holds = [
      await hold({ user_id: caller.userId }),
      await hold({ conversation_id: conversationIds[1] }),
    ];
    const before = await kept(app);
    expect(await ask(caller.userId)).toMatchObject({ status: 409, body: { code: 'legal_hold' } });
    expect((await askOwn(caller.key, caller.email)).body.code).toBe('legal_hold');
    expect((await ask(caller.userId, '?dry_run=true')).body.obstacle).toBe('legal_hold');
    expect(await kept(app)).toEqual(before);
    const waiting = await askOwn(caller.key, caller.email, '?when=lifted');
    expect(waiting).toMatchObject({ status: 202, body: { state: 'waiting' } });
    await lift(holds[0]!);
    const own = await call<Answer>(app, 'GET', '/api/users/me/erasure', { key: caller.key });
    expect(own.body).toMatchObject({ state: 'waiting', finished_at: null });
    await lift(holds[1]!);
    await doneEverywhere(caller.userId);
    const [user] = await app.db.query<{ erased: boolean }[]>(
      'SELECT erased_at IS NOT NULL AS erased FROM users WHERE id = $1',
      [caller.userId],
    );
    expect(user?.erased).toBe(true);
  });

  it('of a person with many conversations goes on beside the calls of others', async () => {
    const { app } = service;
    const person = await makeCaller(app.db, owner.orgId);
    await giveConversations(app.database, person, 100);
    expect((await ask(person.userId)).body.counts).toMatchObject({ conversations: 100, events: 300 });
    const statuses = new Set<number>();
    while ((await stateOf(person.userId)) !== 'done')
      statuses.add((await call(app, 'GET', '/api/v1/app-conversations/search', { key: owner.key })).status);
    expect([...statuses]).toEqual([200]);
    const left = await app.db.query<object[]>(
      `SELECT 1 FROM conversations c LEFT JOIN event_logs l ON l.conversation_id = c.id
        WHERE c.created_by_user_id = $1 AND (c.deleted_at IS NULL OR c.title IS NOT NULL OR l.conversation_id IS NOT NULL)`,
      [person.userId],
    );
    expect(left).toEqual([]);
  });
});
