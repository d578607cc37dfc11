import { randomUUID } from 'node:crypto';
import type { LegalHoldPage, LegalHoldResponse } from '../../../src/accounts/legal-holds/legal-holds.dto';
import { rowDigests } from '../../support/database/row-digests';
import { eventually } from '../../support/eventually';
import { storeConversation, storeSandbox } from '../../support/queue/conversation-rows';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeMember, makeOrg, type TestCaller } from '../../support/service/factories';
import { call, type ErrorBody } from '../../support/service/http';

let app: TestApp;
let admin: TestCaller;
let person: TestCaller;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeCaller(app.db, (await makeOrg(app.db)).id, 'admin');
  person = await makeCaller(app.db, admin.orgId);
});
afterAll(() => app.close());

const path = (id = '', by = admin): string =>
  `/api/organizations/${by.orgId}/legal-holds${id === '' ? '' : `/${id}`}`;
const hold = (
  body: object,
  { by = admin, headers = {} }: { by?: TestCaller; headers?: Record<string, string> } = {},
) =>
  call<LegalHoldResponse & ErrorBody>(app, 'POST', path('', by), {
    key: by.key,
    body: { reason: 'Case 1', ...body },
    headers,
  });
const lift = (id: string, by = admin) =>
  call<LegalHoldResponse & ErrorBody>(app, 'DELETE', path(id, by), { key: by.key });
const remove = (id: string, query = '') =>
  call<ErrorBody>(app, 'DELETE', `/api/v1/app-conversations/${id}${query}`, { key: person.key });
const isThere = async (id: string): Promise<boolean> =>
  (await call(app, 'GET', `/api/v1/app-conversations/${id}`, { key: person.key })).status === 200;
async function conversation(fields: object = {}): Promise<{ id: string; sandbox_id: string }> {
  const by = { org_id: person.orgId, created_by_user_id: person.userId };
  const sandbox_id = await storeSandbox(app.db, by, { status: 'PAUSED' });
  const { id } = await storeConversation(app.db, { ...by, sandbox_id, ...fields });
  return { id, sandbox_id };
}

describe('a legal hold', () => {
  it('is made, listed, lifted once, and stays as a record', async () => {
    const { id } = await conversation();
    const made = await hold({ conversation_id: id });
    expect(made).toMatchObject({
      status: 201,
      body: {
        conversation_id: id,
        user_id: null,
        reason: 'Case 1',
        created_by_user_id: admin.userId,
        lifted_at: null,
      },
    });
    const list = async () => (await call<LegalHoldPage>(app, 'GET', path(), { key: admin.key })).body.items;
    expect(await list()).toContainEqual(made.body);
    const lifted = await lift(made.body.id);
    expect(lifted).toMatchObject({ status: 200, body: { lifted_by_user_id: admin.userId } });
    expect(await list()).toContainEqual(lifted.body);
    expect(await lift(made.body.id)).toMatchObject({ status: 409, body: { code: 'legal_hold_lifted' } });
  });

  it('is made once with an idempotency key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [
      await hold({ user_id: person.userId }, { headers }),
      await hold({ user_id: person.userId }, { headers }),
    ];
    expect(second.body.id).toBe(first.body.id);
    await lift(first.body.id);
  });

  it('is on something that the organization has, and needs the permission', async () => {
    const other = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
    const theirs = await storeConversation(app.db, { org_id: other.orgId, created_by_user_id: other.userId });
    const mine = await conversation();
    const deleted = await conversation({ deleted_at: new Date() });
    // Counters are added up meanwhile.
    const held = async () => {
      const { legal_holds, awaited_deletions, conversations, users, domain_events } = await rowDigests(
        app.db,
      );
      return { legal_holds, awaited_deletions, conversations, users, domain_events };
    };
    const before = await held();
    for (const id of [theirs.id, deleted.id, randomUUID()])
      expect(await hold({ conversation_id: id })).toMatchObject({
        status: 404,
        body: { code: 'held_not_found' },
      });
    for (const id of [other.userId, randomUUID()])
      expect(await hold({ user_id: id })).toMatchObject({ status: 404, body: { code: 'held_not_found' } });
    for (const body of [
      {},
      { conversation_id: mine.id, user_id: person.userId },
      { conversation_id: 'no-id' },
      { user_id: 17 },
      { user_id: person.userId, reason: ' ' },
      { user_id: person.userId, reason: 'x'.repeat(1_001) },
    ])
      expect((await hold(body)).status).toBe(422);
    expect(await hold({ user_id: person.userId }, { by: person })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    expect(await lift(randomUUID())).toMatchObject({ status: 404, body: { code: 'legal_hold_not_found' } });
    expect(await lift('no-id')).toMatchObject({ status: 404, body: { code: 'legal_hold_not_found' } });
    expect(await held()).toEqual(before);
    const made = await hold({ conversation_id: mine.id });
    expect(await lift(made.body.id, other)).toMatchObject({ status: 404 });
    expect((await call(app, 'GET', `${path()}?page_id=x`, { key: admin.key })).status).toBe(400);
    await lift(made.body.id);
  });

  it.each(['conversation', 'person'])('on a %s keeps a conversation from being deleted', async (on) => {
    const { id, sandbox_id } = await conversation();
    const child = await conversation({ parent_conversation_id: id });
    const { body } = await hold(on === 'person' ? { user_id: person.userId } : { conversation_id: child.id });
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'legal_hold' } });
    const sandbox = on === 'person' ? sandbox_id : child.sandbox_id;
    expect(await call(app, 'DELETE', `/api/v1/sandboxes/${sandbox}`, { key: person.key })).toMatchObject({
      status: 409,
      body: { code: 'legal_hold' },
    });
    expect([await isThere(id), await isThere(child.id)]).toEqual([true, true]);
    await lift(body.id);
    expect((await remove(id)).status).toBe(200);
    expect([await isThere(id), await isThere(child.id)]).toEqual([false, false]);
  });

  it('on a conversation keeps those below it', async () => {
    const { id } = await conversation();
    const child = await conversation({ parent_conversation_id: id });
    const { body } = await hold({ conversation_id: id });
    expect(await remove(child.id)).toMatchObject({ status: 409, body: { code: 'legal_hold' } });
    await lift(body.id);
    expect((await remove(child.id)).status).toBe(200);
  });

  it('has what is to be deleted afterwards deleted when the last one is lifted', async () => {
    const { id } = await conversation();
    const [first, second] = [await hold({ conversation_id: id }), await hold({ user_id: person.userId })];
    expect((await remove(id, '?when=lifted')).status).toBe(202);
    expect((await remove(id, '?when=lifted')).status).toBe(202);
    await lift(first.body.id);
    // Another one is deleted meanwhile: what waited was looked at.
    await eventually(async () => {
      const jobs = await app.db.query<{ n: number }[]>(
        `SELECT count(*)::integer AS n FROM domain_events WHERE kind = 'legal_hold.lifted' AND position IS NULL`,
      );
      expect(jobs).toEqual([{ n: 0 }]);
    });
    expect(await isThere(id)).toBe(true);
    await lift(second.body.id);
    await eventually(async () => expect(await isThere(id)).toBe(false));
    await eventually(async () => expect(await app.db.query('SELECT * FROM awaited_deletions')).toEqual([]));
  });

  it('asks for a known time of deletion', async () => {
    const { id } = await conversation();
    expect((await remove(id, '?when=tomorrow')).status).toBe(422);
    expect((await remove(id, '?when=lifted')).status).toBe(200);
  });

  it('on a member leaves their conversations when they are removed', async () => {
    const member = await makeMember(app.db, admin.orgId);
    const { id } = await storeConversation(app.db, { org_id: admin.orgId, created_by_user_id: member.id });
    const { body } = await hold({ user_id: member.id });
    const owner = await makeCaller(app.db, admin.orgId, 'owner');
    const removed = await call(app, 'DELETE', `/api/organizations/${admin.orgId}/members/${member.id}`, {
      key: owner.key,
    });
    expect(removed.status).toBe(200);
    expect((await call(app, 'GET', `/api/v1/app-conversations/${id}`, { key: admin.key })).status).toBe(200);
    await lift(body.id);
  });
});
