import { readSettings } from '../../../kernel/config';
import { WaitingCalls } from './waiting-calls';

/** As docs/contract.md#waiting-calls says. */
const OF_A_CONVERSATION = 16;
const OF_A_SANDBOX = 32;
const OF_A_USER = 200;

describe('the calls that wait for an agent server', () => {
  let waiting: WaitingCalls;
  let release: () => void;
  let released: Promise<void>;
  let calls: Promise<void>[];
  beforeEach(() => {
    waiting = new WaitingCalls(readSettings({ WAITING_CALLS: '800' }));
    released = new Promise((resolve) => (release = resolve));
    calls = [];
  });

  const callOf = (sandbox: string, conversationId: string, userId = 'user', orgId = 'organization') => ({
    userId,
    conversationId,
    sandbox: { id: sandbox, orgId },
  });

  function hang(sandbox: string, conversation: string, times: number): void {
    for (let n = 0; n < times; n++) calls.push(waiting.run(callOf(sandbox, conversation), () => released));
  }

  const quick = (...of: Parameters<typeof callOf>): Promise<string> =>
    waiting.run(callOf(...of), () => Promise.resolve('made')).catch(String);

  it('are at most 16 of one conversation, and others have theirs', async () => {
    hang('sandbox', 'one', OF_A_CONVERSATION - 1);
    expect(await quick('sandbox', 'one')).toBe('made');
    hang('sandbox', 'one', 1);
    expect(await quick('sandbox', 'one')).toMatch(/Too many calls .* this conversation already/);
    expect(await quick('sandbox', 'two')).toBe('made');
    release();
    await Promise.all(calls);
    expect(await quick('sandbox', 'one')).toBe('made');
  });

  it('are at most 32 of one sandbox, however many conversations it has, and other sandboxes have theirs', async () => {
    for (let n = 0; n < OF_A_SANDBOX; n++) hang('sandbox', `conversation ${n}`, 1);
    expect(await quick('sandbox', 'another')).toMatch(/Too many calls .* this sandbox already/);
    expect(await quick('another sandbox', 'another')).toBe('made');
    release();
    await Promise.all(calls);
    expect(await quick('sandbox', 'another')).toBe('made');
  });

  it('are at most 200 of one user and half of all of one organization, whatever sandboxes they have', async () => {
    const hangFor = (user: string, organization: string): void => {
      for (let n = 0; n < OF_A_USER; n++) {
        const call = callOf(`${user} ${Math.floor(n / 10)}`, `${user} ${n}`, user, organization);
        calls.push(waiting.run(call, () => released));
      }
    };
    hangFor('one', 'a');
    expect(await quick('another', 'another', 'one', 'b')).toMatch(/Too many calls .* this user already/);
    hangFor('two', 'a');
    expect(await quick('another', 'another', 'three', 'a')).toMatch(/Too many .* this organization already/);
    hangFor('three', 'b');
    hangFor('four', 'b');
    expect(await quick('another', 'another', 'five', 'c')).toContain('Too many calls wait for agent servers');
    release();
    await Promise.all(calls);
    expect(await quick('another', 'another', 'one', 'a')).toBe('made');
  });

  it('leave their places when they fail, too', async () => {
    for (let n = 0; n < 2 * OF_A_SANDBOX; n++)
      await expect(waiting.run(callOf('s', 'c'), () => Promise.reject(new Error('away')))).rejects.toThrow(
        'away',
      );
    expect(await quick('s', 'c')).toBe('made');
  });
});
