import fc from 'fast-check';
import type { MessageMode } from '../../../src/conversations/pending-messages/record/message.enums';
import { type CallMatcher, lookAt, sendTo } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { reply, ScriptedModel } from '../../support/model/scripted-model';
import { QueueFixture, type TestConversation, textContent } from '../../support/queue/queue-fixture';
import { rounds } from '../../support/rounds';

/** Long after the time at which the agent server is asked again by itself. */
const FAR_AWAY = '1 hour';

/** Less than that time. */
const SOON_MS = 8_000;

describe('a message that waits for the end of a run', () => {
  let model: ScriptedModel;
  let fixture: QueueFixture;
  beforeAll(async () => {
    model = await ScriptedModel.start();
    const llm = { model: 'scripted', baseUrl: model.baseUrl, apiKey: 'scripted-model-key' };
    // No send is given up because the machine is busy: what is settled then is not what is waited for here.
    fixture = await QueueFixture.start({ SEND_TIMEOUT_SECONDS: '20' }, llm);
  });
  beforeEach(() => model.when(() => true, reply.hang(reply.text('Done.'))));
  afterEach(() => {
    model.reset();
    fixture.double.heal();
  });
  afterAll(async () => {
    await fixture.stop();
    await model.stop();
  });

  const statusOf = ({ id }: TestConversation): string => fixture.double.conversation(id).status;
  const becomes = (conversation: TestConversation, status: string): Promise<void> =>
    eventually(() => expect(statusOf(conversation)).toBe(status));
  const arrives = ({ id }: TestConversation, texts: readonly string[]): Promise<void> =>
    eventually(() => expect(fixture.arrived(id)).toEqual(texts));

  /** A conversation whose agent runs until the model is released. */
  async function working(): Promise<TestConversation> {
    const conversation = await fixture.ready();
    await fixture.add(conversation.id, 'work');
    await arrives(conversation, ['work']);
    await becomes(conversation, 'running');
    await eventually(() => expect(model.hanging).toBeGreaterThan(0));
    return conversation;
  }

  /** Nothing delivers from the queue, and nothing will for long unless it is woken. */
  async function waits({ id }: TestConversation): Promise<void> {
    const { db } = fixture.replica;
    await eventually(async () => {
      const queues = await db.query<{ id: string }[]>(
        `SELECT id FROM message_queues
          WHERE conversation_id = $1 AND claimed_until IS NULL AND next_attempt_at > now()`,
        [id],
      );
      expect(queues).toHaveLength(1);
      await db.query(
        `UPDATE message_queues SET next_attempt_at = now() + interval '${FAR_AWAY}' WHERE id = $1`,
        [queues[0]?.id],
      );
      const [job] = await db.query<[{ key: string }?]>(
        `SELECT key FROM graphile_worker.reschedule_jobs(
           ARRAY(SELECT id FROM graphile_worker.jobs WHERE key = 'deliver:' || $1 AND locked_at IS NULL),
           run_at := now() + interval '${FAR_AWAY}')`,
        [queues[0]?.id],
      );
      expect(job).toBeDefined();
    });
  }

  async function ends(conversation: TestConversation): Promise<void> {
    await eventually(() => {
      model.release();
      expect(statusOf(conversation)).toBe('finished');
    });
    await fixture.replica.announceAgent(conversation.id, 'finished');
  }

  it('goes out at once while the agent does not run', async () => {
    const conversation = await fixture.ready();
    await fixture.add(conversation.id, 'first', 'after_run');
    await arrives(conversation, ['first']);
  });

  it('waits for the run of the initial message, and goes out when the agent has come to rest', async () => {
    const conversation = await fixture.starting({ content: textContent('initial'), run: true });
    await fixture.add(conversation.id, 'later', 'after_run');
    await fixture.getReady(conversation);
    await arrives(conversation, ['initial']);
    await waits(conversation);
    expect((await fixture.list(conversation.id)).map(({ state, mode }) => [state, mode])).toEqual([
      ['delivered', 'steer'],
      ['queued', 'after_run'],
    ]);
    await ends(conversation);
    await arrives(conversation, ['initial', 'later']);
  });

  it('lets a message without a run pass: there is none to wait for', async () => {
    const conversation = await fixture.starting({ content: textContent('initial'), run: false });
    await fixture.add(conversation.id, 'next', 'after_run');
    await fixture.getReady(conversation);
    await arrives(conversation, ['initial', 'next']);
  });

  it('holds back what is behind it, steering or not, and each waits for the run of the one before', async () => {
    const conversation = await working();
    await fixture.add(conversation.id, 'a', 'after_run');
    await fixture.add(conversation.id, 'b', 'after_run');
    await fixture.add(conversation.id, 'c');
    await waits(conversation);
    expect(fixture.arrived(conversation.id)).toEqual(['work']);
    await ends(conversation);
    await arrives(conversation, ['work', 'a']);
    await waits(conversation);
    expect(fixture.arrived(conversation.id)).toEqual(['work', 'a']);
    await ends(conversation);
    await arrives(conversation, ['work', 'a', 'b', 'c']);
  });

  it.each(['waiting_for_confirmation', 'running'] as const)('waits while the agent is %s', async (status) => {
    const conversation = await fixture.ready();
    Object.assign(fixture.double.conversation(conversation.id), { status });
    await fixture.add(conversation.id, 'later', 'after_run');
    await waits(conversation);
    Object.assign(fixture.double.conversation(conversation.id), { status: 'idle' });
    await fixture.replica.announceAgent(conversation.id, 'idle');
    await arrives(conversation, ['later']);
  });

  it('waits for a run that its server has not begun yet, since it runs as many agents as it may', async () => {
    const conversation = await fixture.ready();
    const detail = 'Message saved, but as many agents run as may.';
    fixture.double.fail({ kind: 'status', status: 429, stored: false, detail }, sendTo(conversation.id));
    await fixture.add(conversation.id, 'saved');
    await eventually(async () =>
      expect((await fixture.list(conversation.id)).map(({ state }) => state)).toEqual(['delivered']),
    );
    await fixture.replica.db.query(
      `SELECT graphile_worker.reschedule_jobs(
         ARRAY(SELECT id FROM graphile_worker.jobs WHERE key = 'run:' || $1),
         run_at := now() + interval '${FAR_AWAY}')`,
      [conversation.id],
    );
    await fixture.add(conversation.id, 'later', 'after_run');
    await waits(conversation);
    await fixture.replica.db.query(`SELECT graphile_worker.remove_job('run:' || $1)`, [conversation.id]);
    await fixture.replica.announceAgent(conversation.id, 'finished');
    await arrives(conversation, ['later']);
  });

  it('goes out without news of the end of the run too: the agent server is asked again', async () => {
    const conversation = await working();
    await fixture.add(conversation.id, 'later', 'after_run');
    await eventually(async () => {
      const queues = await fixture.replica.db.query<unknown[]>(
        'SELECT 1 FROM message_queues WHERE conversation_id = $1 AND next_attempt_at > now()',
        [conversation.id],
      );
      expect(queues).toHaveLength(1);
    });
    model.release();
    await arrives(conversation, ['work', 'later']);
  });

  it('does not miss that the run ends while its delivery asks for it', async () => {
    const conversation = await fixture.ready();
    const agent = fixture.double.conversation(conversation.id);
    agent.status = 'running';
    let answer: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (answer = resolve));
    const asks = lookAt(conversation.id);
    fixture.double.fail({ kind: 'held', until }, asks);
    const comesToRest: CallMatcher = (call) => {
      if (asks(call)) agent.status = 'idle';
      return false;
    };
    fixture.double.fail({ kind: 'late', ms: 0 }, comesToRest);
    await fixture.add(conversation.id, 'later', 'after_run');
    await eventually(() => expect(fixture.double.arrived(asks)).not.toEqual([]));
    // Adding the message woke the queue, too.
    const wake = `SELECT 1 FROM graphile_worker.jobs j JOIN message_queues q ON j.key = 'wake:' || q.id
                   WHERE q.conversation_id = $1`;
    await eventually(async () =>
      expect(await fixture.replica.db.query<unknown[]>(wake, [conversation.id])).toEqual([]),
    );
    // Said with the news, and not by the job that wakes the queue: the delivery may have decided to wait before that runs.
    await fixture.replica.inTransaction(async (transaction) => {
      await transaction.query('UPDATE message_queues SET woken = false WHERE conversation_id = $1', [
        conversation.id,
      ]);
      await fixture.replica.announceAgentIn(transaction, conversation.id, 'finished');
      const woken = await transaction.query<unknown[]>(
        'SELECT 1 FROM message_queues WHERE conversation_id = $1 AND woken',
        [conversation.id],
      );
      expect(woken).toHaveLength(1);
    });
    answer();
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['later']), SOON_MS);
  });

  it('keeps its place and is tried again while the agent server does not say whether the agent runs', async () => {
    const conversation = await fixture.ready();
    await fixture.double.refuse();
    const message = await fixture.add(conversation.id, 'later', 'after_run');
    await eventually(async () =>
      expect(await fixture.message(conversation.id, message)).toMatchObject({
        state: 'queued',
        last_error: expect.any(String) as string,
      }),
    );
    await fixture.double.accept();
    await arrives(conversation, ['later']);
  });

  describe('releases those behind it', () => {
    let conversation: TestConversation;
    let first: string;
    let second: string;
    beforeEach(async () => {
      conversation = await working();
      first = await fixture.add(conversation.id, 'first', 'after_run');
      second = await fixture.add(conversation.id, 'second');
      await waits(conversation);
    });

    it('when it is cancelled', async () => {
      await fixture.replica.messages.cancel(fixture.caller, conversation.id, first);
      await arrives(conversation, ['work', 'second']);
    });

    it('when it comes to be behind them', async () => {
      await fixture.replica.messages.reorder(fixture.caller, conversation.id, [second, first]);
      await arrives(conversation, ['work', 'second']);
      expect((await fixture.message(conversation.id, first)).state).toBe('queued');
    });

    it('when it is to steer after all', async () => {
      const change = { content: textContent('now'), mode: 'steer' as const };
      await fixture.replica.messages.edit(fixture.caller, conversation.id, first, change);
      await arrives(conversation, ['work', 'now', 'second']);
    });

    it('but not when only its content changes, or the mode of another one', async () => {
      const { messages } = fixture.replica;
      await messages.edit(fixture.caller, conversation.id, first, { content: textContent('other words') });
      const change = { content: textContent('second'), mode: 'after_run' as const };
      await messages.edit(fixture.caller, conversation.id, second, change);
      await waits(conversation);
      expect((await fixture.list(conversation.id, ['queued'])).map(({ mode }) => mode)).toEqual([
        'after_run',
        'after_run',
      ]);
      expect(fixture.arrived(conversation.id)).toEqual(['work']);
    });
  });

  it('never meets a run, whatever is queued in whatever order, and the order is kept', async () => {
    const modes = fc.array(fc.constantFrom<MessageMode>('steer', 'after_run'), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(modes, fc.boolean(), async (queued, isWorking) => {
        const conversation = isWorking ? await working() : await fixture.ready();
        const { id } = conversation;
        const agent = fixture.double.conversation(id);
        const unsubscribe = agent.subscribe(({ kind, key, value }) => {
          if (kind === 'ConversationStateUpdateEvent' && key === 'execution_status')
            void fixture.replica.announceAgent(id, String(value));
        });
        const texts = queued.map((mode, index) => `${index} ${mode}`);
        for (const [index, mode] of queued.entries()) await fixture.add(id, texts[index] ?? '', mode);
        const before = isWorking ? ['work'] : [];
        await eventually(() => {
          model.release();
          expect(fixture.arrived(id)).toEqual([...before, ...texts]);
        });
        unsubscribe();
        expect(metRuns(agent.log.all())).toEqual([]);
        await ends(conversation);
      }),
      { numRuns: rounds(25, 6) },
    );
  });

  /** The messages that came while the agent ran, of those that should not have. */
  function metRuns(log: readonly Readonly<Record<string, unknown>>[]): unknown[] {
    let status: unknown = 'idle';
    const met: unknown[] = [];
    for (const event of log) {
      if (event['key'] === 'execution_status') status = event['value'];
      const text = JSON.stringify(event['llm_message'] ?? '');
      if (event['source'] === 'user' && text.includes('after_run') && status === 'running') met.push(text);
    }
    return met;
  }
});
