import { readSettings } from '../../../src/kernel/config';
import {
  OpenStreams,
  type StreamHolder,
  type StreamPlace,
} from '../../../src/outbound/event-streams/connections/open-streams';
import { ServiceStoppingError } from '../../../src/kernel/http';

/** Ten keys make a user, ten users an organization. */
const holder = (keyId: number): StreamHolder => ({
  kind: 'conversation',
  conversationId: null,
  permission: null,
  keyId,
  sessionId: null,
  keyExpiresAt: null,
  userId: `user ${Math.floor(keyId / 10)}`,
  orgId: `organization ${Math.floor(keyId / 100)}`,
});

const refusalOf = (take: () => unknown): unknown => {
  try {
    take();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the open streams of a process', () => {
  let streams: OpenStreams;

  beforeEach(() => {
    jest.useFakeTimers();
    streams = new OpenStreams(readSettings({}));
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

  it('are 20 of a key, 200 of a user, 1,000 of an organization and 2,000, whatever they are of', () => {
    const take = (count: number, keyOf: (n: number) => number): StreamPlace[] =>
      Array.from({ length: count }, (_, n) => streams.take(holder(keyOf(n))));
    const refusal = (keyId: number): unknown => refusalOf(() => streams.take(holder(keyId)));
    const [ofFirst] = take(20, () => 0);
    expect(refusal(0)).toContain('20 streams of this key');
    const anotherKey = { ...holder(1_000), userId: 'user 0', orgId: 'organization 0' };
    take(180, (n) => 1 + (n % 9));
    expect(refusalOf(() => streams.take(anotherKey))).toContain('200 streams of this user');
    take(800, (n) => 10 + (n % 40));
    expect(refusal(50)).toContain('1000 streams of this organization');
    take(1_000, (n) => 100 + (n % 50));
    expect(refusal(200)).toContain('2000 streams already');
    ofFirst?.free();
    ofFirst?.free();
    expect(refusalOf(() => streams.take({ ...holder(0), kind: 'organization' }))).toBeNull();
    expect(refusal(200)).toContain('2000 streams already');
    for (const place of streams.places()) place.free();
    expect([streams.count(), streams.places(), refusal(0)]).toEqual([0, [], null]);
  });

  it('are as many of a replica as its setting says, and half of them of an organization', () => {
    streams = new OpenStreams(readSettings({ OPEN_STREAMS: '6' }));
    for (let n = 0; n < 3; n++) streams.take(holder(n));
    expect(refusalOf(() => streams.take(holder(3)))).toContain('3 streams of this organization');
    for (let n = 0; n < 3; n++) streams.take(holder(100 + n));
    expect(refusalOf(() => streams.take(holder(200)))).toContain('6 streams already');
  });

  it('end when the service stops, those that are about to begin too, and no more begin', () => {
    const end = jest.fn();
    streams.take(holder(1)).hold({ end, beat: () => undefined });
    const beginning = streams.take(holder(2));
    streams.stop();
    expect(end).toHaveBeenCalledWith('service_stopping');
    expect(beginning.endedFor).toBe('service_stopping');
    expect(() => streams.take(holder(3))).toThrow(ServiceStoppingError);
  });
});
