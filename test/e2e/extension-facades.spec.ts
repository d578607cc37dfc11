import { randomUUID } from 'node:crypto';
import type { Caller, ServiceActor } from '../../src';
import { EventRepository } from '../../src/conversations/events/storage/event.repository';
import { UserActor } from '../../src/kernel/auth';
import { interruptOf } from '../support/agent-server/agent-server-calls';
import { DoubledService } from '../support/agent-server/doubled-service';
import { eventually } from '../support/eventually';
import { agentEvent, storeEvents } from '../support/streams/stored-events';
import { Desk, deskExtension, Office } from '../support/service/desk';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { standing } from '../support/standing';

/** An error of the service, by its code. */
const refusal = (code: string): Error => expect.objectContaining({ code }) as Error;
const said = (text: string) => ({ content: [{ type: 'text', text }] }) as const;

describe('an extension, from inside,', () => {
  let doubled: DoubledService;
  let desk: Desk;
  let office: Office;
  let service: ServiceActor;
  let admin: UserActor;
  let member: UserActor;
  let colleague: UserActor;
  let foreigner: UserActor;
  let memberCaller: TestCaller;
  beforeAll(async () => {
    doubled = await DoubledService.start({ ORG_MAX_SANDBOXES: '1000' }, undefined, {
      extensions: [deskExtension],
    });
    desk = doubled.service.app.app.get(Desk);
    office = doubled.service.app.app.get(Office);
    const { db } = doubled.service.app;
    const { orgId } = doubled.service.owner;
    const as = async (caller: Promise<TestCaller>): Promise<UserActor> => {
      const { userId, orgId: ofCaller } = await caller;
      return desk.actors.user(userId, ofCaller);
    };
    service = desk.actors.service(orgId);
    memberCaller = await makeCaller(db, orgId);
    member = await as(Promise.resolve(memberCaller));
    colleague = await as(makeCaller(db, orgId));
    admin = await as(makeCaller(db, orgId, 'admin'));
    foreigner = await as(makeCaller(db, (await makeOrg(db)).id, 'owner'));
  });
  afterAll(() => doubled.close());

  const ofMember = () => doubled.conversation({ owner: memberCaller });
  const foreignService = (): ServiceActor => desk.actors.service(foreigner.orgId);
  const count = async (table: string): Promise<number> => {
    const [row] = await doubled.service.app.db.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${table}`,
    );
    return row?.count ?? -1;
  };

  describe('acts', () => {
    it('for the caller of its route', async () => {
      const path = `/api/organizations/${member.orgId}/desk`;
      const { status } = await doubled.service.call('POST', path, { key: memberCaller.key, body: {} });
      expect(status).toBe(201);
      expect(await desk.conversations.search(member, { title__contains: 'the desk' })).toMatchObject({
        items: [{ title: 'From the desk', created_by_user_id: member.userId }],
      });
    });

    it('for a member with the role of now, and for nobody else', async () => {
      const { db } = doubled.service.app;
      const { userId, orgId } = await makeCaller(db, member.orgId);
      expect(await desk.actors.user(userId, orgId)).toMatchObject({ role: 'member' });
      await db.transaction(async (transaction) => {
        await transaction.query(`UPDATE org_members SET role = 'admin' WHERE user_id = $1`, [userId]);
        expect(await desk.actors.user(userId, orgId, transaction)).toMatchObject({ role: 'admin' });
        expect(await desk.actors.user(userId, orgId)).toMatchObject({ role: 'member' });
      });
      await db.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
      for (const [user, org] of [
        [userId, orgId],
        [foreigner.userId, orgId],
        ['nobody', orgId],
        [randomUUID(), 'nowhere'],
      ] as const)
        await expect(desk.actors.user(user, org)).rejects.toEqual(refusal('not_a_member'));
    });
  });

  describe('conversations', () => {
    it('are found by their creator, by who may view them, and by the service of their organization', async () => {
      const { id } = await ofMember();
      for (const actor of [member, admin, service])
        expect(await desk.conversations.find(actor, id)).toMatchObject({ id, tags: {} });
      for (const actor of [colleague, foreigner, foreignService()])
        await expect(desk.conversations.find(actor, id)).rejects.toEqual(refusal('conversation_not_found'));
      await expect(desk.conversations.find(service, 'no-id')).rejects.toEqual(
        refusal('conversation_not_found'),
      );
    });

    it('have the way to their agent server for their creator only', async () => {
      const { id } = await ofMember();
      const wayFor = async (actor: typeof member | ServiceActor) =>
        (await desk.conversations.find(actor, id)).conversation_url;
      expect(await Promise.all([member, admin, service].map(wayFor))).toEqual([
        expect.any(String),
        null,
        null,
      ]);
    });

    it('are listed with the filters of the list, for who may view them, with all that is large', async () => {
      const tags = { found: 'here', large: 'x'.repeat(5_000) };
      const { id } = await doubled.conversation({ owner: memberCaller, tags });
      const query = { tags: ['found:here'], per_page: 5 };
      for (const actor of [admin, service])
        expect(await desk.conversations.list(actor, query)).toMatchObject({
          items: [{ id, tags }],
          total_items: 1,
          per_page: 5,
        });
      expect((await desk.conversations.search(member, { tags: ['found:here'] })).items).toMatchObject([
        { id, tags },
      ]);
      expect((await desk.conversations.list(foreignService(), query)).items).toEqual([]);
      await expect(desk.conversations.list(member)).rejects.toEqual(refusal('permission_denied'));
      await expect(desk.conversations.list(admin, { per_page: 101 })).rejects.toEqual(
        refusal('validation_failed'),
      );
    });

    it('are changed and deleted by their creator and the service, and by nobody else', async () => {
      const { id } = await ofMember();
      const { conversations } = desk;
      expect(await conversations.update(member, id, { title: 'Mine' })).toMatchObject({ title: 'Mine' });
      expect(await conversations.update(service, id, { tags: { by: 'us' } })).toMatchObject({
        title: 'Mine',
        tags: { by: 'us' },
      });
      for (const actor of [colleague, admin, foreigner, foreignService()]) {
        await expect(conversations.update(actor, id, {})).rejects.toEqual(refusal('conversation_not_found'));
        await expect(conversations.delete(actor, id)).rejects.toEqual(refusal('conversation_not_found'));
      }
      await expect(conversations.update(member, id, { title: 'x'.repeat(1_001) })).rejects.toEqual(
        refusal('validation_failed'),
      );
      await conversations.delete(service, id);
      await expect(conversations.find(member, id)).rejects.toEqual(refusal('conversation_not_found'));
    });

    it('are interrupted and stopped by their creator and the service, and by nobody else', async () => {
      const { id, sandboxId } = await ofMember();
      const { conversations } = desk;
      await conversations.interrupt(member, id);
      await conversations.interrupt(service, id);
      expect(doubled.double.arrived(interruptOf(id))).toHaveLength(2);
      for (const actor of [colleague, admin, foreigner, foreignService()]) {
        await expect(conversations.interrupt(actor, id)).rejects.toEqual(refusal('conversation_not_found'));
        await expect(conversations.stop(actor, id)).rejects.toEqual(refusal('conversation_not_found'));
      }
      await conversations.stop(service, id);
      const [sandbox] = await doubled.service.app.db.query<object[]>(
        'SELECT status, stopping FROM sandboxes WHERE id = $1',
        [sandboxId],
      );
      expect(sandbox).not.toEqual({ status: 'RUNNING', stopping: null });
    });

    it('are started in a transaction of its own, or not at all', async () => {
      const { db } = doubled.service.app;
      const request = { initial_message: said('Say hello.'), tags: { cost: 'shop' } };
      const before = await count('conversations');
      const begin = await desk.conversations.prepare(member, request);
      const veto = db.transaction(async (transaction) => {
        await begin(transaction);
        throw new Error('over the budget');
      });
      await expect(veto).rejects.toThrow('over the budget');
      expect(await Promise.all([count('conversations'), count('start_tasks')])).toEqual([
        before,
        await count('start_tasks'),
      ]);
      const task = await db.transaction(begin);
      const found = await desk.conversations.search(member, { tags: ['cost:shop'] });
      expect(found.items).toMatchObject([{ sandbox_id: task.sandbox_id, title: 'Say hello.' }]);
    });

    it('are started within the limits and of what is there only', async () => {
      const { conversations } = desk;
      for (const [request, code] of [
        [{ title: 'x'.repeat(1_001) }, 'validation_failed'],
        [{ parent_conversation_id: (await doubled.conversation()).id }, 'parent_conversation_not_found'],
        [{ conversation_id: (await ofMember()).id }, 'conversation_id_in_use'],
        [{ public: true }, 'sharing_not_supported'],
      ] as const)
        await expect(conversations.start(member, request)).rejects.toEqual(refusal(code));
    });
  });

  describe('messages', () => {
    const paused = () => doubled.conversation({ owner: memberCaller, sandbox: { status: 'PAUSED' } });

    it('are queued, listed and taken back by the creator of the conversation and by the service', async () => {
      const { id } = await paused();
      const { messages } = desk;
      await messages.queue(member, id, said('First.'));
      const { id: second } = await messages.queue(service, id, { ...said('Second.'), mode: 'after_run' });
      expect(await messages.list(service, id)).toMatchObject({
        items: [
          { position: 1, mode: 'steer', content: said('First.').content },
          { position: 2, mode: 'after_run', id: second },
        ],
        next_page_id: null,
      });
      await messages.cancel(service, id, second);
      expect((await messages.list(member, id)).items).toHaveLength(1);
      expect((await messages.list(member, id, { state: ['cancelled'] })).items).toMatchObject([
        { id: second },
      ]);
    });

    it('are refused to others, and beyond the limits', async () => {
      const { id } = await paused();
      const { messages } = desk;
      for (const actor of [colleague, admin, foreigner, foreignService()]) {
        await expect(messages.queue(actor, id, said('No.'))).rejects.toEqual(
          refusal('conversation_not_found'),
        );
        await expect(messages.list(actor, id)).rejects.toEqual(refusal('conversation_not_found'));
      }
      await expect(messages.queue(service, 'to-come', said('No.'))).rejects.toEqual(
        refusal('conversation_not_found'),
      );
      await expect(messages.queue(member, id, { content: [] })).rejects.toEqual(refusal('validation_failed'));
      for (let n = 0; n < 10; n++) await messages.queue(service, id, said(`${n}`));
      await expect(messages.queue(member, id, said('11'))).rejects.toEqual(
        refusal('too_many_pending_messages'),
      );
    });

    it('are queued in a transaction of its own, or not at all', async () => {
      const { id } = await paused();
      const { db } = doubled.service.app;
      const undone = db.transaction(async (transaction) => {
        await desk.messages.queue(service, id, said('Undone.'), transaction);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      await db.transaction(async (transaction) => {
        const actor = await desk.actors.user(member.userId, member.orgId, transaction);
        await desk.messages.queue(actor, id, said('Done.'), transaction);
      });
      expect((await desk.messages.list(member, id)).items).toMatchObject([
        { content: said('Done.').content },
      ]);
    });
  });

  it('queues in the transaction that starts the conversation, also for who was let in by a link', async () => {
    const { userId, orgId } = member;
    const byLink = new UserActor(userId, { orgId, ...standing('member') }, { letInBy: admin.userId });
    const id = randomUUID();
    const begin = await desk.conversations.prepare(byLink, { conversation_id: id });
    await doubled.service.app.db.transaction(async (transaction) => {
      await begin(transaction);
      await desk.messages.queue(byLink, id, said('And this.'), transaction);
    });
    const states = ['queued', 'delivering', 'delivered'] as const;
    expect((await desk.messages.list(byLink, id, { state: [...states] })).items).toHaveLength(1);
  });

  it('reads events from a position on, of one kind or of all, where it may read the conversation', async () => {
    const { id } = await ofMember();
    const events = Array.from({ length: 5 }, () => agentEvent());
    await storeEvents(doubled.service.app, id, events);
    const first = await desk.events.read(member, id, { limit: 2 });
    expect([first.events.length, first.position, first.hasMore]).toEqual([2, 2, true]);
    const rest = await desk.events.read(service, id, { after: first.position });
    expect([rest.events.map(({ position }) => position), rest.position, rest.hasMore]).toEqual([
      [3, 4, 5],
      5,
      false,
    ]);
    expect(await desk.events.read(admin, id, { kinds: ['OtherEvent'] })).toEqual({
      events: [],
      position: 5,
      hasMore: false,
    });
    for (const actor of [colleague, foreigner, foreignService()])
      await expect(desk.events.read(actor, id)).rejects.toEqual(refusal('conversation_not_found'));
  });

  it('adds notes to own conversations, with the transaction of the caller, behind what the agent server has', async () => {
    const { id } = await ofMember();
    const reported = agentEvent();
    await storeEvents(doubled.service.app, id, [reported]);
    const { db, app } = doubled.service.app;
    const [before] = await db.query<{ at: Date }[]>(
      'SELECT updated_at AS at FROM conversations WHERE id = $1',
      [id],
    );
    const noted = await desk.events.append(member, id, { text: 'over budget', details: { spent: 12.5 } });
    const [after] = await db.query<{ at: Date }[]>(
      'SELECT updated_at AS at FROM conversations WHERE id = $1',
      [id],
    );
    expect(Number(after?.at)).toBeGreaterThan(Number(before?.at));
    await expect(desk.events.append(member, id, { text: 'alone' }, db.manager)).rejects.toThrow(
      'inside a transaction',
    );
    await expect(
      db.transaction(async (transaction) => {
        await desk.events.append(service, id, { text: 'undone' }, transaction);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    const { events } = await desk.events.read(member, id);
    expect(events.map(({ kind }) => kind)).toEqual([reported.kind, 'NoteEvent']);
    expect(events[1]?.event).toEqual({
      id: noted,
      timestamp: expect.any(String) as string,
      source: 'environment',
      kind: 'NoteEvent',
      text: 'over budget',
      details: { spent: 12.5 },
      user_id: member.userId,
    });
    expect(await app.get(EventRepository).lastLogged(id)).toBe(reported.id);
    expect(await db.query('SELECT kind FROM events WHERE conversation_id = $1', [id])).toHaveLength(2);
    for (const actor of [admin, colleague, foreigner, foreignService()])
      await expect(desk.events.append(actor, id, { text: 'x' })).rejects.toEqual(
        refusal('conversation_not_found'),
      );
    await expect(desk.events.append(member, id, { text: 'x'.repeat(65_536) })).rejects.toEqual(
      refusal('note_too_large'),
    );
  });

  it('pauses and resumes the sandboxes of the user, and all for the service, or undoes it', async () => {
    const { sandboxId } = await ofMember();
    const { sandboxes } = desk;
    const { db } = doubled.service.app;
    expect((await sandboxes.find(member, sandboxId)).exposed_urls).not.toBeNull();
    expect(await sandboxes.find(service, sandboxId)).toMatchObject({
      status: 'RUNNING',
      exposed_urls: null,
      session_api_key: null,
    });
    for (const actor of [colleague, admin, foreigner, foreignService()]) {
      await expect(sandboxes.find(actor, sandboxId)).rejects.toEqual(refusal('sandbox_not_found'));
      await expect(sandboxes.pause(actor, sandboxId)).rejects.toEqual(refusal('sandbox_not_found'));
      await expect(sandboxes.resume(actor, sandboxId)).rejects.toEqual(refusal('sandbox_not_found'));
    }
    const undone = db.transaction(async (transaction) => {
      await sandboxes.pause(service, sandboxId, transaction);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await sandboxes.find(member, sandboxId)).status).toBe('RUNNING');
    await db.transaction((transaction) => sandboxes.pause(service, sandboxId, transaction));
    await eventually(async () => expect((await sandboxes.find(member, sandboxId)).status).toBe('PAUSED'));
    await sandboxes.resume(service, sandboxId);
    expect((await sandboxes.find(member, sandboxId)).status).not.toBe('PAUSED');
  });

  it('reads its organization and its members, and gives roles as the rank of the actor allows', async () => {
    const { members, organizations } = office;
    const { db } = doubled.service.app;
    const { userId } = await makeCaller(db, member.orgId);
    expect(await organizations.find(member)).toMatchObject({ id: member.orgId, role: 'member' });
    expect(await organizations.find(service)).toMatchObject({ id: member.orgId, role: 'owner' });
    expect((await members.list(member, { limit: 1 })).items).toHaveLength(1);
    expect(await members.find(service, userId)).toMatchObject({ user_id: userId, role: 'member' });
    await expect(members.find(service, foreigner.userId)).rejects.toEqual(refusal('member_not_found'));
    await expect(members.changeRole(member, userId, 'admin')).rejects.toEqual(refusal('permission_denied'));
    await expect(members.changeRole(admin, userId, 'owner')).rejects.toEqual(refusal('rank_too_low'));
    await expect(members.changeRole(admin, admin.userId, 'member')).rejects.toEqual(refusal('own_role'));
    expect(await members.changeRole(admin, userId, 'admin')).toMatchObject({ role: 'admin' });
    expect(await members.changeRole(service, userId, 'member')).toMatchObject({ role: 'member' });
    const { userId: owner } = doubled.service.owner;
    await expect(members.changeRole(service, owner, 'member')).rejects.toEqual(refusal('last_owner'));
  });

  it('invites for who may, and asks a session that began long ago to sign in again', async () => {
    const { actors } = desk;
    const { invitations } = office;
    expect(await invitations.invite(admin, ['new@example.com'])).toMatchObject({
      successful: [{ email: 'new@example.com', role: 'member' }],
      failed: [],
    });
    await expect(invitations.invite(admin, ['new@example.com'], 'owner')).rejects.toEqual(
      refusal('role_not_grantable'),
    );
    await expect(invitations.invite(admin, ['no address'])).rejects.toEqual(refusal('validation_failed'));
    await expect(invitations.invite(member, ['b@example.com'])).rejects.toEqual(refusal('permission_denied'));
    const caller: Caller = {
      userId: admin.userId,
      email: 'admin@example.com',
      name: null,
      keyId: 1,
      keyName: null,
      keyExpiresAt: null,
      boundOrgId: null,
      letInBy: null,
      identityProviderId: null,
      scopes: null,
      addresses: null,
      ownKey: null,
      currentOrgId: null,
      selectedOrgId: null,
      sessionId: 1,
      signedInAt: new Date(Date.now() - 2 * 3_600_000),
    };
    await expect(invitations.invite(actors.caller(caller, admin), ['c@example.com'])).rejects.toEqual(
      refusal('sign_in_again'),
    );
  });

  it('previews marketplaces for who may edit the settings', async () => {
    const { marketplaces } = office;
    const registration = { name: 'team', source: 'https://git.invalid/team.git' };
    const preview = await marketplaces.preview(service, [registration]);
    expect(preview.errors).toEqual([expect.stringMatching(/^team: /)]);
    await expect(marketplaces.preview(member, [registration])).rejects.toEqual(refusal('permission_denied'));
    const many = Array.from({ length: 21 }, () => registration);
    await expect(marketplaces.preview(admin, many)).rejects.toEqual(refusal('validation_failed'));
  });
});
