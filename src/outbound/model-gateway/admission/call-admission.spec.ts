import { randomUUID } from 'node:crypto';
import { ModelKeys } from '../../../agents/gateway-access';
import { SecretBox } from '../../../kernel/common';
import { readSettings } from '../../../kernel/config';
import { CallAdmission } from './call-admission';

const OF_REPLICA = 4_096;

const idsOf = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

describe('calls whose conversations are looked up slowly', () => {
  let admission: CallAdmission;
  /** Ends every look-up that is slow. */
  let found: () => void;
  let slow: Promise<void>;
  beforeEach(() => {
    admission = new CallAdmission(
      new ModelKeys(new SecretBox(['secret'])),
      readSettings({ ORGANIZATION_SHARE_PERCENT: '25' }),
    );
    slow = new Promise((resolve) => (found = resolve));
  });

  const enter = (conversation: string, orgId: string, isSlow = false) =>
    admission.enter(conversation, async () => {
      if (isSlow) await slow;
      return { caller: { orgId } };
    });
  const seen = async (conversation: string, orgId: string): Promise<void> =>
    (await enter(conversation, orgId)).leave();
  /** Has each of these make as many calls as a conversation may at a time. @returns how many are refused, and those that are not */
  const flood = async (conversations: readonly string[], orgId: string) => {
    let refused = 0;
    const calls = conversations.flatMap((conversation) =>
      Array.from({ length: 64 }, () =>
        enter(conversation, orgId, true).catch(() => {
          refused += 1;
          return null;
        }),
      ),
    );
    // What is refused is refused at once.
    await new Promise((resolve) => setImmediate(resolve));
    return { refused, calls };
  };

  it('take no more of a replica than the share of their organization', async () => {
    const conversations = idsOf(100);
    for (const conversation of conversations) await seen(conversation, 'many');
    const { refused } = await flood(conversations, 'many');
    expect(refused).toBe(conversations.length * 64 - OF_REPLICA / 4);
    expect(admission.open).toBe(OF_REPLICA / 4);
    for (const orgId of ['others', 'more']) await seen(randomUUID(), orgId);
  });

  it('wait apart while it is not known whose they are, and leave conversations alone that are known', async () => {
    const known = randomUUID();
    await seen(known, 'others');
    const { refused } = await flood(idsOf(100), 'many');
    expect([refused, admission.open]).toEqual([100 * 64 - OF_REPLICA, 0]);
    await expect(enter(randomUUID(), 'others')).rejects.toMatchObject({ code: 'model_gateway_busy' });
    await seen(known, 'others');
  });

  it('are counted for their organization once it is known, and give back what they took', async () => {
    const { calls } = await flood(idsOf(64), 'many');
    found();
    const entered = (await Promise.all(calls)).filter((call) => call !== null);
    expect([entered.length, admission.open]).toEqual([OF_REPLICA / 4, OF_REPLICA / 4]);
    await expect(enter(randomUUID(), 'many')).rejects.toMatchObject({ code: 'model_gateway_busy' });
    for (const { leave } of entered) leave();
    expect(admission.open).toBe(0);
    await seen(randomUUID(), 'many');
  });

  it('hold nothing when the look-up fails, or finds nothing', async () => {
    const conversation = randomUUID();
    for (let n = 0; n < 2; n++) {
      const failed = admission.enter(conversation, () => Promise.reject(new Error('away')));
      await expect(failed).rejects.toThrow('away');
      const gone = admission.enter(conversation, () => Promise.resolve(null));
      await expect(gone).rejects.toMatchObject({ code: 'model_key_invalid' });
      expect(admission.open).toBe(0);
      await seen(conversation, 'many');
    }
    const calls = await Promise.all(Array.from({ length: 16 }, () => enter(randomUUID(), 'many')));
    expect(admission.open).toBe(calls.length);
  });
});
