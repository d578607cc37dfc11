import { eventually } from '../../support/eventually';
import { QueueFixture, textContent } from '../../support/queue-fixture';

const ROUNDS = 1_000;
const AT_ONCE = 10;

describe('changes of a queue against its delivery', () => {
  let fixture: QueueFixture;
  beforeAll(async () => (fixture = await QueueFixture.start()));
  afterAll(() => fixture.stop());

  async function allDone(id: string): Promise<void> {
    await eventually(
      async () => expect(await fixture.list(id, ['queued', 'delivering'])).toEqual([]),
      20_000,
    );
  }

  it(`never delivers what was cancelled with a 204, in ${ROUNDS} rounds`, async () => {
    let cancelled = 0;
    const rounds = async (): Promise<void> => {
      const { id } = await fixture.ready();
      for (let round = 0; round < ROUNDS / AT_ONCE; round++) {
        const text = `round ${round}`;
        const message = await fixture.add(id, text);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
        const isCancelled = await fixture.replica.messages.cancel(fixture.caller, id, message).then(
          () => true,
          () => false,
        );
        await eventually(async () =>
          expect(['delivered', 'cancelled']).toContain((await fixture.message(id, message)).state),
        );
        expect([text, fixture.arrived(id).includes(text)]).toEqual([text, !isCancelled]);
        if (isCancelled) cancelled++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, rounds));
    // Both outcomes have to occur, or there was no race.
    expect(cancelled).toBeGreaterThan(ROUNDS / 50);
    expect(cancelled).toBeLessThan(ROUNDS - ROUNDS / 50);
  }, 120_000);

  it('delivers by the order that was answered last, in 100 rounds', async () => {
    let reordered = 0;
    for (let round = 0; round < 100; round++) {
      const conversation = await fixture.starting();
      const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
      const ids = [];
      for (const text of texts) ids.push(await fixture.add(conversation.id, text));
      const ready = fixture.getReady(conversation);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      const backwards = [...ids].reverse();
      const isReordered = await fixture.replica.messages
        .reorder(fixture.caller, conversation.id, backwards)
        .then(
          () => true,
          () => false,
        );
      await ready;
      await allDone(conversation.id);
      const expected = isReordered ? [...texts].reverse() : texts;
      expect(fixture.arrived(conversation.id)).toEqual(expected);
      if (isReordered) reordered++;
    }
    expect(reordered).toBeGreaterThan(2);
    expect(reordered).toBeLessThan(98);
  }, 60_000);

  it('delivers what an accepted edit says, in 100 rounds', async () => {
    for (let round = 0; round < 100; round++) {
      const { id } = await fixture.ready();
      const message = await fixture.add(id, 'old');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      const isEdited = await fixture.replica.messages
        .edit(fixture.caller, id, message, textContent('new'))
        .then(
          () => true,
          () => false,
        );
      await allDone(id);
      expect(fixture.arrived(id)).toEqual([isEdited ? 'new' : 'old']);
    }
  }, 60_000);

  it('leaves nothing behind of a stream of messages to running conversations', async () => {
    const stream = async (): Promise<void> => {
      const { id } = await fixture.ready();
      const texts = Array.from({ length: 50 }, (_, i) => String(i % 7));
      for (const text of texts) await eventually(() => fixture.add(id, text), 20_000);
      await allDone(id);
      expect(fixture.arrived(id)).toEqual(texts);
    };
    await Promise.all(Array.from({ length: 10 }, stream));
  }, 60_000);
});
