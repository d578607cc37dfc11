import { hexOf, newId } from '../../../src/kernel/common';
import { JobQueue } from '../../../src/kernel/jobs';
import { sendTo } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { makeCaller } from '../../support/service/factories';
import { callerOf } from '../../support/queue/queue-replica';
import { QueueFixture, textContent } from '../../support/queue/queue-fixture';
import { runNow } from '../../support/service/recurring-jobs';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `message ${i}`);

describe('a queue of messages', () => {
  let fixture: QueueFixture;
  beforeAll(async () => (fixture = await QueueFixture.start()));
  afterEach(() => fixture.double.heal());
  afterAll(() => fixture.stop());

  const texts = async (id: string): Promise<(string | undefined)[]> =>
    (await fixture.list(id, ['queued'])).map(({ content }) => content[0]?.text);

  it('takes one of thirty messages at once when nine wait, and tells the others to try again', async () => {
    const { id } = await fixture.starting({ content: textContent('initial'), run: true });
    for (const text of numbers(9)) await fixture.add(id, text);
    const results = await Promise.allSettled(numbers(30).map((text) => fixture.add(id, `one of ${text}`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
    expect(await fixture.list(id)).toHaveLength(11);
  });

  it('gives positions from 1, counted anew after a cancellation', async () => {
    const { id } = await fixture.starting();
    const responses = [];
    for (const text of numbers(3))
      responses.push(await fixture.replica.messages.add(fixture.caller, id, textContent(text)));
    expect(responses.map(({ queued, position }) => [queued, position])).toEqual([
      [true, 1],
      [true, 2],
      [true, 3],
    ]);
    await fixture.replica.messages.cancel(fixture.caller, id, responses[0]!.id);
    expect((await fixture.list(id, ['queued'])).map(({ position }) => position)).toEqual([1, 2]);
    await expect(fixture.replica.messages.cancel(fixture.caller, id, responses[0]!.id)).rejects.toMatchObject(
      {
        status: 404,
      },
    );
  });

  it('gets a run when the planned one began while the queueing transaction was open', async () => {
    const { id } = await fixture.starting();
    const plannedBefore = await fixture.replica.inTransaction(async (transaction) => {
      await transaction.query('SELECT now()');
      await fixture.replica.db.query(
        `UPDATE message_queues SET next_attempt_at = clock_timestamp() + interval '1 millisecond'
          WHERE conversation_id = $1`,
        [id],
      );
      // The column rounds to milliseconds: well past it, whichever way that was.
      await transaction.query('SELECT pg_sleep(0.005)');
      const [{ needs_run }] = await transaction.query<[{ needs_run: boolean }]>(
        `SELECT needs_run FROM queue_message($1, $2, $3, NULL, $4, '[]', 10, NULL, 1, 1, 1)`,
        [newId(), fixture.caller.userId, id, fixture.orgId],
      );
      return !needs_run;
    });
    expect(plannedBefore).toBe(false);
  });

  it('is one, whatever the spelling of the id', async () => {
    const { id, taskId } = await fixture.starting();
    const spellings = [
      id,
      hexOf(id),
      id.toUpperCase(),
      hexOf(id).toUpperCase(),
      taskId,
      hexOf(taskId),
      `task-${hexOf(taskId)}`,
      `task-${hexOf(taskId).toUpperCase()}`,
    ];
    for (const spelling of spellings) await fixture.add(spelling, spelling);
    for (const spelling of spellings) expect(await texts(spelling)).toEqual(spellings);
  });

  it('does not exist for anybody else, nor once the conversation is deleted', async () => {
    const { id } = await fixture.starting();
    const stranger = callerOf((await makeCaller(fixture.replica.db, fixture.orgId)).userId, fixture.orgId);
    await expect(fixture.replica.messages.add(stranger, id, textContent('x'))).rejects.toMatchObject({
      status: 404,
    });
    await fixture.replica.db.query('UPDATE conversations SET deleted_at = now() WHERE id = $1', [id]);
    await expect(fixture.add(id, 'x')).rejects.toMatchObject({ status: 404 });
  });

  it('refuses an id of more than 128 characters', async () => {
    await expect(fixture.add('x'.repeat(129), 'x')).rejects.toMatchObject({ status: 400 });
  });

  it('takes new content and a new order for what is queued, and delivers by them', async () => {
    const conversation = await fixture.starting();
    const [a, b, c] = [
      await fixture.add(conversation.id, 'a'),
      await fixture.add(conversation.id, 'b'),
      await fixture.add(conversation.id, 'c'),
    ];
    await fixture.replica.messages.edit(fixture.caller, conversation.id, b, { content: textContent('B') });
    await fixture.replica.messages.reorder(fixture.caller, conversation.id, [c, hexOf(a).toUpperCase(), b]);
    expect(await texts(conversation.id)).toEqual(['c', 'a', 'B']);
    for (const ids of [[a, b], [a, b, c, c], [a, a, b], [a, b, newId()], []])
      await expect(
        fixture.replica.messages.reorder(fixture.caller, conversation.id, ids),
      ).rejects.toMatchObject({ status: 409 });
    await fixture.getReady(conversation);
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['c', 'a', 'B']));
    for (const change of [
      () =>
        fixture.replica.messages.edit(fixture.caller, conversation.id, b, { content: textContent('late') }),
      () => fixture.replica.messages.reorder(fixture.caller, conversation.id, [c, a, b]),
      () => fixture.replica.messages.cancel(fixture.caller, conversation.id, b),
    ])
      await expect(change()).rejects.toMatchObject({ status: 409 });
  });

  it('fails visibly what waits when the conversation can never run again, and takes nothing more', async () => {
    const conversation = await fixture.starting();
    const message = await fixture.add(conversation.id, 'never');
    await fixture.replica.announce(conversation.sandboxId, 'MISSING');
    expect(await fixture.message(conversation.id, message)).toMatchObject({
      state: 'failed',
      last_error: 'The sandbox of the conversation is gone.',
    });
    await expect(fixture.add(conversation.id, 'more')).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ['delivered when it had arrived', true, 'delivered'],
    ['failed when it had not', false, 'failed'],
  ])(
    'of a closed conversation settles a message whose outcome is unknown first: %s',
    async (_, stored, state) => {
      const conversation = await fixture.ready();
      fixture.double.fail({ kind: 'hang', stored }, sendTo(conversation.id), stored ? 1 : Infinity);
      const message = await fixture.add(conversation.id, 'outcome unknown');
      await eventually(async () =>
        expect((await fixture.message(conversation.id, message)).state).toBe('delivering'),
      );
      await fixture.replica.inTransaction((transaction) =>
        fixture.replica.queue.close(transaction, [conversation.id], 'It ended.'),
      );
      await eventually(async () =>
        expect((await fixture.message(conversation.id, message)).state).toBe(state),
      );
      expect(fixture.arrived(conversation.id)).toEqual(stored ? ['outcome unknown'] : []);
    },
  );

  it('fails what a removed member had queued, and keeps the queue for their return', async () => {
    const conversation = await fixture.ready();
    const member = (await makeCaller(fixture.replica.db, fixture.orgId)).userId;
    const theirs = await fixture.starting(null, newId(), member);
    await fixture.replica.messages.add(callerOf(member), theirs.id, textContent('left behind'));
    await fixture.replica.inTransaction(async (transaction) => {
      await transaction.query('DELETE FROM org_members WHERE user_id = $1', [member]);
      const payload = { kind: 'member.removed', org_id: fixture.orgId, user_id: member };
      await new JobQueue().add(transaction, { name: 'member-removed:messages', payload });
    });
    await eventually(async () => {
      const text = await fixture.replica.messages.list(callerOf(member), theirs.id, ['failed']);
      expect(text).toContain('no member of the organization any more');
    });
    await fixture.add(conversation.id, 'of somebody else');
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['of somebody else']));
    expect(fixture.arrived(theirs.id)).toEqual([]);
  });

  describe('for a conversation that does not exist yet', () => {
    it('is attached when the caller starts it, after the initial message', async () => {
      const id = newId();
      for (const text of numbers(3)) await fixture.add(hexOf(id).toUpperCase(), text);
      const conversation = await fixture.starting({ content: textContent('initial'), run: true }, id);
      await fixture.add(`task-${hexOf(conversation.taskId)}`, 'last');
      await fixture.getReady(conversation);
      await eventually(() => expect(fixture.arrived(id)).toEqual(['initial', ...numbers(3), 'last']));
    });

    it('stays apart from the conversation of another user with that id', async () => {
      const id = newId();
      await fixture.add(id, 'not for them');
      const other = (await makeCaller(fixture.replica.db, fixture.orgId)).userId;
      const conversation = await fixture.starting(null, id, other);
      await fixture.getReady(conversation);
      await fixture.replica.messages.add(callerOf(other), id, textContent('theirs'));
      await eventually(() => expect(fixture.arrived(id)).toEqual(['theirs']));
    });

    it('is one of at most fifty of a user, also under concurrent calls', async () => {
      const user = callerOf((await makeCaller(fixture.replica.db, fixture.orgId)).userId, fixture.orgId);
      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, i) =>
          fixture.replica.messages.add(user, `early ${i}`, textContent('x')),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 429 });
      await expect(fixture.replica.messages.add(user, 'early 0', textContent('y'))).resolves.toMatchObject({
        position: expect.any(Number) as number,
      });
    });

    it('loses nothing when the conversation is started in that very moment, 50 times', async () => {
      for (let round = 0; round < 50; round++) {
        const id = newId();
        const [conversation] = await Promise.all([fixture.starting(null, id), fixture.add(id, 'early')]);
        await fixture.getReady(conversation);
        await eventually(() => expect(fixture.arrived(id)).toEqual(['early']));
      }
    });

    it('fails after 24 hours, and begins anew with the next message', async () => {
      const message = await fixture.add('some day', 'too early');
      await fixture.replica.db.query(
        `UPDATE message_queues SET created_at = now() - interval '25 hours' WHERE early_key = 'some day'`,
      );
      await runNow(fixture.replica.db, 'queue-clean-up');
      await eventually(async () =>
        expect(await fixture.message('some day', message)).toMatchObject({
          state: 'failed',
          last_error: 'No conversation with this id was started within 24 hours.',
        }),
      );
      await fixture.add('some day', 'again');
      expect(await texts('some day')).toEqual(['again']);
    });
  });
});
