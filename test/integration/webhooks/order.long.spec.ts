import fc from 'fast-check';
import { newId } from '../../../src/kernel/common';
import { eventually } from '../../support/eventually';
import { OK, type Reaction } from '../../support/webhooks/callback-receiver';
import { type TestWebhook, WebhookFixture } from '../../support/webhooks/webhook-fixture';

const FAILURES: readonly Reaction[] = [
  { status: 500 },
  { status: 302 },
  { status: 429, headers: { 'retry-after': '7' } },
  'cut',
  'cut in the answer',
];
const ENDPOINTS = 3;
const CONVERSATIONS = 4;

/** Something that happens in a conversation, and how its callback fails at each endpoint before it succeeds. */
interface Planned {
  readonly conversation: number;
  readonly failures: readonly (readonly Reaction[])[];
}

const planned: fc.Arbitrary<Planned> = fc.record({
  conversation: fc.nat(CONVERSATIONS - 1),
  failures: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom(...FAILURES), { maxLength: 3 }) },
    ),
    { minLength: ENDPOINTS, maxLength: ENDPOINTS },
  ),
});

describe('callbacks that fail at random', () => {
  let fixture: WebhookFixture;
  beforeAll(async () => (fixture = await WebhookFixture.start()));
  afterAll(() => fixture.stop());

  it('arrive at least once and in order in each conversation, and hold back nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(planned, { minLength: 5, maxLength: 40 }), async (plan) => {
        const webhooks = await Promise.all(Array.from({ length: ENDPOINTS }, () => fixture.makeWebhook()));
        const conversations = Array.from({ length: CONVERSATIONS }, newId);
        const events = plan.map((one) => ({ ...one, mark: newId() }));
        const succeeded = webhooks.map((webhook, endpoint) => watch(webhook, endpoint, events));

        for (const { conversation, mark } of events)
          await fixture.publish(fixture.happening(conversations[conversation] ?? '', mark));

        // No pause is ended: what stands before the first failure of its conversation arrives all the same.
        const free = webhooks.map((_, endpoint) => freeMarks(events, endpoint));
        await eventually(() => {
          free.forEach((marks, endpoint) =>
            expect(succeeded[endpoint]).toEqual(expect.arrayContaining(marks)),
          );
        });

        await eventually(async () => {
          for (const webhook of webhooks) await fixture.endPauses(webhook);
          succeeded.forEach((marks) => expect(new Set(marks).size).toBe(events.length));
        }, 60_000);
        for (const marks of succeeded) {
          const firsts = [...new Set(marks)];
          conversations.forEach((_, conversation) => {
            const own = events.filter((event) => event.conversation === conversation).map(({ mark }) => mark);
            expect(firsts.filter((mark) => own.includes(mark))).toEqual(own);
          });
        }
        await fixture.db.query('DELETE FROM webhooks');
      }),
      { numRuns: 8 },
    );
  });

  /** Has callbacks fail as planned. @returns the marks of those that succeeded, as they do */
  function watch(
    { path }: TestWebhook,
    endpoint: number,
    events: readonly (Planned & { readonly mark: string })[],
  ): string[] {
    const left = new Map(events.map(({ mark, failures }) => [mark, [...(failures[endpoint] ?? [])]]));
    const succeeded: string[] = [];
    fixture.receiver.react(path, ({ payload }) => {
      const mark = String(payload.data['sandbox_id']);
      const failure = left.get(mark)?.shift();
      if (failure === undefined) succeeded.push(mark);
      return failure ?? OK;
    });
    return succeeded;
  }

  /** What nothing stands before that fails. */
  function freeMarks(events: readonly (Planned & { readonly mark: string })[], endpoint: number): string[] {
    const held = new Set<number>();
    return events.flatMap(({ conversation, failures, mark }) => {
      if ((failures[endpoint]?.length ?? 0) > 0) held.add(conversation);
      return held.has(conversation) ? [] : [mark];
    });
  }
});
