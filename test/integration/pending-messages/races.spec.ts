import { eventually } from '../../support/eventually';
import { QueueFixture, textContent } from '../../support/queue/queue-fixture';

const ROUNDS = 1_000;
const AT_ONCE = 20;

/** Waits as long as makes both outcomes of a race come about as often, on any machine. */
class Moment {
  private ms = 10;

  /** Not at all for less than a timer can wait: a delivery takes a millisecond or two. */
  async wait(): Promise<void> {
    const ms = Math.random() * this.ms;
    if (ms >= 1) await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** @param early whether the change came before the delivery */
  was(early: boolean): void {
    this.ms = Math.min(5_000, Math.max(0.5, early ? this.ms * 1.2 : this.ms / 1.2));
  }
}

const succeeds = (change: Promise<unknown>): Promise<boolean> =>
  change.then(
    () => true,
    () => false,
  );

/** Does something so many times, ten at once. */
async function inTurns(times: number, round: () => Promise<void>): Promise<void> {
  for (let done = 0; done < times; done += 10) await Promise.all(Array.from({ length: 10 }, round));
}

describe('changes of a queue against its delivery', () => {
  let fixture: QueueFixture;
  // No send is given up because the machine is busy: outcomes that are unknown are not what is tested here.
  beforeAll(async () => (fixture = await QueueFixture.start({ SEND_TIMEOUT_SECONDS: '20' })));
  afterAll(() => fixture.stop());

  async function allDone(id: string): Promise<void> {
    await eventually(
      async () => expect(await fixture.list(id, ['queued', 'delivering'])).toEqual([]),
      60_000,
    );
  }

  /** Both outcomes have to occur, or there was no race. */
  function expectBoth(wins: number, rounds: number): void {
    expect(wins).toBeGreaterThan(rounds / 200);
    expect(wins).toBeLessThan(rounds - rounds / 200);
  }

  it(`never delivers what was cancelled with a 204, and everything else, in ${ROUNDS} rounds`, async () => {
    const moment = new Moment();
    let cancelled = 0;
    const rounds = async (): Promise<void> => {
      const { id } = await fixture.ready();
      const kept: string[] = [];
      for (let round = 0; round < ROUNDS / AT_ONCE; round++) {
        // Of one that nothing is before, the delivery may begin before its id is known here.
        await fixture.add(id, `before ${round}`);
        kept.push(`before ${round}`);
        const message = await fixture.add(id, `round ${round}`);
        await moment.wait();
        const isCancelled = await succeeds(fixture.replica.messages.cancel(fixture.caller, id, message));
        moment.was(isCancelled);
        if (isCancelled) cancelled++;
        else kept.push(`round ${round}`);
      }
      await allDone(id);
      expect(fixture.arrived(id)).toEqual(kept);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, rounds));
    expectBoth(cancelled, ROUNDS);
  });

  it('delivers by the order that was answered last, in 100 rounds', async () => {
    const moment = new Moment();
    let reordered = 0;
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const round = async (): Promise<void> => {
      const conversation = await fixture.starting();
      const ids: string[] = [];
      for (const text of texts) ids.unshift(await fixture.add(conversation.id, text));
      const ready = fixture.getReady(conversation);
      await moment.wait();
      const isReordered = await succeeds(
        fixture.replica.messages.reorder(fixture.caller, conversation.id, ids),
      );
      moment.was(isReordered);
      if (isReordered) reordered++;
      await ready;
      await allDone(conversation.id);
      expect(fixture.arrived(conversation.id)).toEqual(isReordered ? [...texts].reverse() : texts);
    };
    await inTurns(100, round);
    expectBoth(reordered, 100);
  });

  it('delivers what an accepted edit says, in 100 rounds', async () => {
    const moment = new Moment();
    let edited = 0;
    const round = async (): Promise<void> => {
      const { id } = await fixture.ready();
      await fixture.add(id, 'before');
      const message = await fixture.add(id, 'old');
      await moment.wait();
      const isEdited = await succeeds(
        fixture.replica.messages.edit(fixture.caller, id, message, { content: textContent('new') }),
      );
      moment.was(isEdited);
      if (isEdited) edited++;
      await allDone(id);
      expect(fixture.arrived(id)).toEqual(['before', isEdited ? 'new' : 'old']);
    };
    await inTurns(100, round);
    expectBoth(edited, 100);
  });

  it('goes on after the last resume, however pauses and resumes meet deliveries, in 20 rounds at once', async () => {
    const rounds = async (): Promise<void> => {
      const { id, sandboxId } = await fixture.ready();
      const turn = async (status: 'PAUSED' | 'RUNNING'): Promise<void> => {
        await fixture.sandboxes.announced(sandboxId, status, fixture.replica);
      };
      const texts = Array.from({ length: 8 }, (_, i) => String(i % 3));
      const storm = async (): Promise<void> => {
        for (let n = 0; n < 10; n++) {
          await turn('PAUSED');
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
          await turn('RUNNING');
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        }
      };
      const sent = async (): Promise<void> => {
        for (const text of texts) {
          await fixture.add(id, text);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        }
      };
      await Promise.all([storm(), sent()]);
      await allDone(id);
      expect(fixture.arrived(id)).toEqual(texts);
    };
    await Promise.all(Array.from({ length: 20 }, rounds));
  });

  it('delivers after the last resume, when another one met a pause, in 50 rounds', async () => {
    const round = async (): Promise<void> => {
      const { id, sandboxId } = await fixture.ready();
      await fixture.sandboxes.announced(sandboxId, 'PAUSED', fixture.replica);
      await fixture.add(id, 'one');
      await fixture.add(id, 'two');
      await Promise.all([
        fixture.sandboxes.announced(sandboxId, 'RUNNING', fixture.replica),
        fixture.sandboxes.announced(sandboxId, 'PAUSED', fixture.replica),
      ]);
      await fixture.sandboxes.announced(sandboxId, 'RUNNING', fixture.replica);
      await allDone(id);
      expect(fixture.arrived(id)).toEqual(['one', 'two']);
    };
    await inTurns(50, round);
  });

  it('leaves nothing behind of a stream of messages to running conversations', async () => {
    const stream = async (): Promise<void> => {
      const { id } = await fixture.ready();
      const texts = Array.from({ length: 50 }, (_, i) => String(i % 7));
      for (const text of texts) await eventually(() => fixture.add(id, text), 60_000);
      await allDone(id);
      expect(fixture.arrived(id)).toEqual(texts);
    };
    await Promise.all(Array.from({ length: 10 }, stream));
  });
});
