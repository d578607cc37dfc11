import {
  type CallMatcher,
  callTo,
  lookAt,
  sendOf,
  sendTo,
} from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { QueueFixture, textContent } from '../../support/queue/queue-fixture';
import { runNow } from '../../support/service/recurring-jobs';

describe('the delivery of queued messages', () => {
  let fixture: QueueFixture;
  // Neither a lease nor the settling time ends while a busy machine pauses.
  const env = { JOB_LEASE_SECONDS: '6', DELIVERY_SETTLE_SECONDS: '2.5' };
  beforeAll(async () => (fixture = await QueueFixture.start(env)));
  afterEach(() => fixture.double.heal());
  afterAll(() => fixture.stop());

  const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `message ${i}`);

  async function stateOf(conversationId: string, id: string): Promise<string> {
    return (await fixture.message(conversationId, id)).state;
  }

  async function nothingPlanned(): Promise<void> {
    await eventually(async () => {
      const jobs = await fixture.replica.db.query<unknown[]>(
        `SELECT key FROM graphile_worker.jobs WHERE key ~ '^(deliver|wake):'`,
      );
      expect(jobs).toEqual([]);
    });
  }

  it('begins when the conversation is ready: the initial message first, then the others in order', async () => {
    const conversation = await fixture.starting({ content: textContent('initial'), run: true });
    for (const text of numbers(3)) await fixture.add(conversation.id, text);
    expect((await fixture.list(conversation.id)).map(({ state, position }) => [state, position])).toEqual([
      ['queued', 1],
      ['queued', 2],
      ['queued', 3],
      ['queued', 4],
    ]);
    expect(fixture.arrived(conversation.id)).toEqual([]);
    await fixture.getReady(conversation);
    await eventually(() => expect(fixture.arrived(conversation.id)).toEqual(['initial', ...numbers(3)]));
    await eventually(async () =>
      expect((await fixture.list(conversation.id)).map(({ state, position }) => [state, position])).toEqual(
        Array(4).fill(['delivered', null]),
      ),
    );
  });

  it('goes out at once to a running conversation, to the letter, with role user and run true', async () => {
    const { id } = await fixture.ready();
    const content = '[ {"type":"text","text":"caf\\u00e9 \\u0000", "cache_prompt":true} ]';
    await fixture.replica.messages.add(fixture.caller, id, content);
    await eventually(() => expect(fixture.arrived(id)).toHaveLength(1));
    const [sent] = fixture.double.arrived(sendTo(id));
    expect(sent?.body).toBe(`{"role":"user","content":${content},"run":true}`);
    await eventually(async () =>
      expect(await fixture.replica.messages.list(fixture.caller, id, ['delivered'])).toContain(
        `"content":${content},`,
      ),
    );
  });

  it('delivers equal texts as often as they were queued', async () => {
    const { id } = await fixture.ready();
    for (let i = 0; i < 5; i++) await fixture.add(id, 'yes');
    await eventually(() => expect(fixture.arrived(id)).toEqual(Array(5).fill('yes')));
  });

  it('waits while the sandbox does not run, and goes on when it does', async () => {
    const { id, sandboxId } = await fixture.ready();
    fixture.sandboxes.set(sandboxId, 'PAUSED');
    await eventually(async () => {
      await fixture.add(id, 'held back').catch(() => undefined);
      expect(await fixture.list(id, ['queued'])).toHaveLength(10);
    });
    fixture.sandboxes.set(sandboxId, 'RUNNING');
    await fixture.replica.announce(sandboxId, 'RUNNING');
    await eventually(async () => expect(await fixture.list(id, ['queued', 'delivering'])).toHaveLength(0));
  });

  it('does not miss that the sandbox begins to run in the moment a message is queued', async () => {
    const { id, sandboxId } = await fixture.ready();
    await nothingPlanned();
    fixture.sandboxes.set(sandboxId, 'PAUSED');
    const added = await fixture.replica.inTransaction(async (transaction) => {
      await fixture.replica.announceIn(transaction, sandboxId, 'RUNNING');
      const adding = fixture.add(id, 'just now');
      await eventually(async () => {
        const [row] = await fixture.replica.db.query<[{ waits: boolean; gaveUp: boolean }]>(
          `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) AS waits,
                  EXISTS (SELECT 1 FROM message_queues q JOIN pending_messages m ON m.queue_id = q.id
                           WHERE conversation_id = $1 AND claimed_until IS NULL) AS "gaveUp"`,
          [id],
        );
        expect(row.waits || row.gaveUp).toBe(true);
      });
      fixture.sandboxes.set(sandboxId, 'RUNNING');
      return { adding };
    });
    await added.adding;
    await eventually(() => expect(fixture.arrived(id)).toEqual(['just now']));
  });

  it('forgets the pause after a failure together with the message that failed', async () => {
    const { id } = await fixture.ready();
    await nothingPlanned();
    fixture.double.fail({ kind: 'status', status: 409, stored: false }, sendOf(id, 'cancelled'), Infinity);
    const message = await fixture.add(id, 'cancelled');
    await eventually(async () => {
      const [paused] = await fixture.replica.db.query<[unknown[], number]>(
        `UPDATE message_queues q SET next_attempt_at = now() + interval '1 hour'
          WHERE conversation_id = $1 AND next_attempt_at IS NOT NULL AND claimed_until IS NULL
            AND NOT EXISTS (SELECT 1 FROM pending_messages m WHERE m.queue_id = q.id AND m.state = 'delivering')
         RETURNING id`,
        [id],
      );
      expect(paused).toHaveLength(1);
    });
    await fixture.replica.messages.cancel(fixture.caller, id, message);
    await nothingPlanned();
    await fixture.add(id, 'the next');
    await eventually(() => expect(fixture.arrived(id)).toEqual(['the next']));
  });

  it('takes up a queue whose job was tried too often', async () => {
    const { id, sandboxId } = await fixture.ready();
    await nothingPlanned();
    fixture.sandboxes.set(sandboxId, 'PAUSED');
    await fixture.add(id, 'left alone');
    const { db } = fixture.replica;
    await eventually(async () => {
      const rows = await db.query<unknown[]>(
        'SELECT 1 FROM message_queues WHERE conversation_id = $1 AND claimed_until IS NULL',
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    await db.query(
      `UPDATE pending_messages SET created_at = now() - interval '2 minutes'
        WHERE queue_id = (SELECT id FROM message_queues WHERE conversation_id = $1)`,
      [id],
    );
    await db.query(
      `WITH dead AS (
         SELECT (graphile_worker.add_job('deliver-messages', job_key => 'deliver:' || id, max_attempts => 1,
                                         run_at => now() + interval '1 hour')).id
           FROM message_queues WHERE conversation_id = $1
       ) SELECT graphile_worker.permanently_fail_jobs(ARRAY(SELECT id FROM dead), 'too often')`,
      [id],
    );
    fixture.sandboxes.set(sandboxId, 'RUNNING');
    await runNow(db, 'queue-clean-up');
    await eventually(() => expect(fixture.arrived(id)).toEqual(['left alone']));
  });

  it('keeps a refused message and its followers, tries again with growing pauses, and not before', async () => {
    const { id } = await fixture.ready();
    // A look that is planned because the conversation got ready would end a pause.
    await nothingPlanned();
    fixture.double.fail({ kind: 'status', status: 409, stored: false }, sendTo(id), 2);
    const begun = performance.now();
    const first = await fixture.add(id, 'one');
    await fixture.add(id, 'two');
    await eventually(() => expect(fixture.arrived(id)).toEqual(['one', 'two']));
    expect(performance.now() - begun).toBeGreaterThan(2_900);
    await eventually(async () => expect((await fixture.message(id, first)).attempts).toBe(3));
  });

  it.each([400, 413, 422])(
    'fails a message visibly after a %i, and goes on with the next',
    async (status) => {
      const { id } = await fixture.ready();
      const refusal = { kind: 'status', status, stored: false, detail: 'no such block' } as const;
      fixture.double.fail(refusal, sendOf(id, 'refused'), Infinity);
      const first = await fixture.add(id, 'refused');
      await fixture.add(id, 'taken');
      await eventually(() => expect(fixture.arrived(id)).toEqual(['taken']));
      const { state, last_error } = await fixture.message(id, first);
      expect([state, last_error]).toEqual(['failed', expect.stringContaining('no such block')]);
    },
  );

  it('keeps a message while nobody listens, and lets it be cancelled', async () => {
    const { id } = await fixture.ready();
    await fixture.double.refuse();
    try {
      const message = await fixture.add(id, 'cancelled in time');
      await eventually(async () => {
        const { state, last_error } = await fixture.message(id, message);
        expect([state, last_error]).toEqual(['queued', expect.any(String)]);
      });
      // Not in the moment of another attempt.
      await eventually(() => fixture.replica.messages.cancel(fixture.caller, id, message));
    } finally {
      await fixture.double.accept();
    }
    await fixture.add(id, 'after it');
    await eventually(() => expect(fixture.arrived(id)).toEqual(['after it']));
  });

  describe.each([
    ['a time-out', { kind: 'hang' }],
    ['a reset', { kind: 'reset' }],
    ['a 500', { kind: 'status', status: 500 }],
  ] as const)('after %s', (_, fault) => {
    it.each([
      ['was stored, counts it as delivered', true],
      ['was not stored, sends it again', false],
    ])('when the message %s', async (_what, stored) => {
      const { id } = await fixture.ready();
      await fixture.add(id, 'yes');
      fixture.double.fail({ ...fault, stored }, sendTo(id));
      const outcomeUnknown = await fixture.add(id, 'yes');
      await fixture.add(id, 'yes');
      await fixture.add(id, 'and then');
      await eventually(() => expect(fixture.arrived(id)).toEqual(['yes', 'yes', 'yes', 'and then']));
      await eventually(async () => expect(await fixture.list(id, ['delivered'])).toHaveLength(4));
      expect((await fixture.message(id, outcomeUnknown)).attempts).toBeLessThanOrEqual(2);
    });
  });

  it('does not send again what is accepted late, within the settling time', async () => {
    const { id } = await fixture.ready();
    fixture.double.fail({ kind: 'late', ms: 750 }, sendTo(id));
    await fixture.add(id, 'late');
    await fixture.add(id, 'next');
    await eventually(() => expect(fixture.arrived(id)).toEqual(['late', 'next']));
    await eventually(async () => expect(await fixture.list(id, ['delivered'])).toHaveLength(2));
    expect(fixture.arrived(id)).toEqual(['late', 'next']);
  });

  it('does not send again while the agent works, whatever the log says', async () => {
    const { id } = await fixture.ready();
    fixture.double.conversation(id).status = 'running';
    let accept: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (accept = resolve));
    fixture.double.fail({ kind: 'held', until }, sendTo(id));
    const message = await fixture.add(id, 'behind a tool');
    await eventually(() => expect(fixture.double.arrived(sendTo(id))).toHaveLength(1));
    const looks = (): number => fixture.double.arrived(lookAt(id)).length;
    const before = looks();
    await eventually(() => expect(looks()).toBeGreaterThan(before + 2));
    expect([await stateOf(id, message), fixture.arrived(id)]).toEqual(['delivering', []]);
    expect(fixture.double.arrived(sendTo(id))).toHaveLength(1);
    accept();
    await eventually(() => expect(fixture.arrived(id)).toEqual(['behind a tool']));
    fixture.double.conversation(id).status = 'finished';
    await eventually(async () => expect(await stateOf(id, message)).toBe('delivered'));
    expect(fixture.arrived(id)).toEqual(['behind a tool']);
  });

  it('does not send again while the agent server cannot be asked', async () => {
    const { id } = await fixture.ready();
    const [isSend, isSearch] = [sendTo(id), callTo('GET', `/api/conversations/${id}/events/search`)];
    let wasSent = false;
    const isSearchAfterwards: CallMatcher = (call) => {
      wasSent ||= isSend(call);
      return wasSent && isSearch(call);
    };
    fixture.double.fail({ kind: 'status', status: 500, stored: false }, isSearchAfterwards);
    fixture.double.fail({ kind: 'reset', stored: false }, isSend);
    const message = await fixture.add(id, 'outcome unknown');
    await eventually(async () =>
      expect((await fixture.message(id, message)).last_error).toContain('failed with status 500'),
    );
    expect(fixture.arrived(id)).toEqual([]);
    await expect(fixture.replica.messages.cancel(fixture.caller, id, message)).rejects.toMatchObject({
      status: 409,
    });
    await eventually(() => expect(fixture.arrived(id)).toEqual(['outcome unknown']));
  });
});
