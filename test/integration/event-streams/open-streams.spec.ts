import { OpenStreams, type StreamHolder } from '../../../src/event-streams/connections/open-streams';

const holder = (keyId: number): StreamHolder => ({
  ...{ kind: 'conversation', conversationId: null, permission: null },
  ...{ userId: 'a user', orgId: 'an organization', keyId, sessionId: null, keyExpiresAt: null },
});

const codeOf = (take: () => unknown): unknown => {
  try {
    take();
    return null;
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

describe('the open streams of a process', () => {
  let streams: OpenStreams;

  beforeEach(() => {
    jest.useFakeTimers();
    streams = new OpenStreams();
    streams.onModuleInit();
  });
  afterEach(() => {
    streams.onModuleDestroy();
    jest.useRealTimers();
  });

  it('get a heartbeat every 15 seconds, and not all of them in the same second', () => {
    const beats = Array.from({ length: 30 }, (_, n) => {
      const times: number[] = [];
      streams.take(holder(n)).hold({ end: () => undefined, beat: () => times.push(Date.now()) });
      return times;
    });
    jest.advanceTimersByTime(60_000);
    for (const [first = 0, ...rest] of beats)
      expect(rest).toEqual([first + 15_000, first + 30_000, first + 45_000]);
    const inSecond = new Map<number, number>();
    for (const [first = 0] of beats) inSecond.set(first, (inSecond.get(first) ?? 0) + 1);
    expect([...inSecond.values()]).toEqual(Array<number>(15).fill(2));
  });

  it('get none after they have ended', () => {
    const beat = jest.fn();
    const place = streams.take(holder(1));
    place.hold({ end: () => undefined, beat });
    place.free();
    jest.advanceTimersByTime(60_000);
    expect(beat).not.toHaveBeenCalled();
  });

  it('are 2,000, of a key 20, whatever they are of', () => {
    const places = Array.from({ length: 2_000 }, (_, n) => streams.take(holder(n % 100)));
    expect(codeOf(() => streams.take(holder(0)))).toBe('streams_exceeded');
    expect(codeOf(() => streams.take(holder(100)))).toBe('streams_exceeded');
    places[1]?.free();
    places[1]?.free();
    expect(codeOf(() => streams.take(holder(0)))).toBe('streams_exceeded');
    expect(codeOf(() => streams.take({ ...holder(1), kind: 'organization' }))).toBeNull();
    expect(codeOf(() => streams.take(holder(100)))).toBe('streams_exceeded');
    for (const place of streams.places()) place.free();
    expect([streams.count(), streams.places()]).toEqual([0, []]);
  });

  it('end when the service stops, those that are about to begin too, and no more begin', () => {
    const end = jest.fn();
    streams.take(holder(1)).hold({ end, beat: () => undefined });
    const beginning = streams.take(holder(2));
    streams.stop();
    expect(end).toHaveBeenCalledWith('service_stopping');
    expect(beginning.endedFor).toBe('service_stopping');
    expect(codeOf(() => streams.take(holder(3)))).toBe('service_stopping');
  });
});
