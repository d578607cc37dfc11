import { sendOf } from '../../support/agent-server/agent-server-calls';
import { eventually } from '../../support/eventually';
import { QueueFixture, textContent } from '../../support/queue/queue-fixture';

const ROUNDS = 1_000;
const AT_ONCE = 20;

const pause = (ms: number): Promise<void> =>
  ms < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));

/** A change against a delivery, timed so that each wins as often as the other, on any machine. */
class Race {
  /** How much later than the delivery the change begins in the middle, in ms; less than 0 for earlier. */
  private lag = 0;

  /**
   * Begins both, at random moments around the lag.
   * @param deliver lets the delivery begin
   * @param change resolves with whether it was accepted, which is what comes back
   */
  async run(deliver: () => void, change: () => Promise<boolean>): Promise<boolean> {
    const lag = this.lag + (Math.random() - 0.5) * Math.max(10, Math.abs(this.lag));
    const isDelivering = pause(-lag).then(deliver);
    const isAccepted = pause(lag).then(change);
    await isDelivering;
    const step = Math.max(2, Math.abs(this.lag) * 0.2);
    this.lag += (await isAccepted) ? step : -step;
    return isAccepted;
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

  /**
   * Queues a text whose delivery does not end before the function that comes back is called: what is queued after
   * it stays queued until then.
   */
  async function addHeld(id: string, text: string): Promise<() => void> {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    fixture.double.fail({ kind: 'held', until, unlessGone: true }, sendOf(id, text));
    await fixture.add(id, text);
    return release;
  }

  /** Both outcomes have to occur, or there was no race. */
  function expectBoth(wins: number, rounds: number): void {
    expect(wins).toBeGreaterThan(rounds / 200);
    expect(wins).toBeLessThan(rounds - rounds / 200);
  }

  it(`never delivers what was cancelled with a 204, and everything else, in ${ROUNDS} rounds`, async () => {
    const race = new Race();
    let cancelled = 0;
    const rounds = async (): Promise<void> => {
      const { id } = await fixture.ready();
      const kept: string[] = [];
      for (let round = 0; round < ROUNDS / AT_ONCE; round++) {
        const deliver = await addHeld(id, `before ${round}`);
        kept.push(`before ${round}`);
        const message = await fixture.add(id, `round ${round}`);
        const isCancelled = await race.run(deliver, () =>
          succeeds(fixture.replica.messages.cancel(fixture.caller, id, message)),
        );
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
    const race = new Race();
    let reordered = 0;
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const round = async (): Promise<void> => {
      const conversation = await fixture.starting();
      const ids: string[] = [];
      for (const text of texts) ids.unshift(await fixture.add(conversation.id, text));
      let ready = Promise.resolve();
      const isReordered = await race.run(
        () => {
          ready = fixture.getReady(conversation);
        },
        () => succeeds(fixture.replica.messages.reorder(fixture.caller, conversation.id, ids)),
      );
      if (isReordered) reordered++;
      await ready;
      await allDone(conversation.id);
      expect(fixture.arrived(conversation.id)).toEqual(isReordered ? [...texts].reverse() : texts);
    };
    await inTurns(100, round);
    expectBoth(reordered, 100);
  });

  it('delivers what an accepted edit says, in 100 rounds', async () => {
    const race = new Race();
    let edited = 0;
    const round = async (): Promise<void> => {
      const { id } = await fixture.ready();
      const deliver = await addHeld(id, 'before');
      const message = await fixture.add(id, 'old');
      const isEdited = await race.run(deliver, () =>
        succeeds(fixture.replica.messages.edit(fixture.caller, id, message, { content: textContent('new') })),
      );
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
