import { randomUUID } from 'node:crypto';
import {
  AgentServerClient,
  type AgentServerError,
  AgentServerFailedError,
  AgentServerUnavailableError,
} from '../../../src/sandboxes/agent-server';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { HostileAgentServer } from '../../support/agent-server/hostile-agent-server';
import { growthDuring } from '../../support/peak-memory';
import { rounds } from '../../support/rounds';

/** A process grows by garbage, too, before it is collected. */
const MOST_MEBIBYTES = 350;
const HANGING = 32;
/** What is large takes long to send and to read on a busy machine. */
const PATIENT = { timeoutMs: 120_000 };

describe('an agent server that answers with harm', () => {
  let hostile: HostileAgentServer;
  let client: AgentServerClient;
  const conversation = randomUUID();

  beforeAll(async () => {
    hostile = await HostileAgentServer.start();
    client = new AgentServerClient();
  });
  afterAll(async () => {
    await client.onApplicationShutdown();
    await hostile.stop();
  });

  const failureOf = (call: Promise<unknown>): Promise<AgentServerError> =>
    call.then(
      (value) => Promise.reject(new Error(`It was answered: ${JSON.stringify(value).slice(0, 100)}`)),
      (error: unknown) => error as AgentServerError,
    );

  it.each([
    ['endless bytes', 'endless', 'answer too large'],
    ['an announced terabyte', 'announced', 'answer too large'],
    ['endless bytes, one by one', 'slow', 'timeout'],
    ['a million headers', 'headers', 'UND_ERR_HEADERS_OVERFLOW'],
    ['five million values in 16 MiB', 'values', 'answer too large'],
  ])('ends a call with %s', async (_, kind, reason) => {
    const grown = await growthDuring(async () => {
      const error = await failureOf(
        client.events.get(hostile.target, conversation, kind, kind === 'slow' ? { timeoutMs: 500 } : PATIENT),
      );
      expect(error).toBeInstanceOf(AgentServerUnavailableError);
      expect(error).toMatchObject({ reason });
    });
    expect(grown).toBeLessThan(MOST_MEBIBYTES);
  });

  it('is not unpacked: a gzip bomb is not the protocol', async () => {
    const grown = await growthDuring(async () => {
      const error = await failureOf(client.events.get(hostile.target, conversation, 'bomb'));
      expect(error).toBeInstanceOf(AgentServerFailedError);
    });
    expect(grown).toBeLessThan(100);
  });

  it.each([
    ['seven million events', () => client.events.search(hostile.target, conversation, {}, PATIENT)],
    ['a million skills', () => client.workspace.loadSkills(hostile.target, {})],
    [
      'a value half a million levels deep',
      () => client.events.get(hostile.target, conversation, 'deep', PATIENT),
    ],
  ])('that lists %s is not looked into', async (_, ask) => {
    const grown = await growthDuring(async () =>
      expect(await failureOf(ask())).toBeInstanceOf(AgentServerFailedError),
    );
    expect(grown).toBeLessThan(MOST_MEBIBYTES);
  });

  it('keeps its status where its reason is too large', async () => {
    expect(await client.events.get(hostile.target, conversation, 'long_refusal')).toBeNull();
    expect(await failureOf(client.events.get(hostile.target, conversation, 'refusal'))).toMatchObject({
      responseStatus: 422,
    });
  });

  it(`holds a bounded part of the memory with ${2 * HANGING} endless responses, and others are served meanwhile`, async () => {
    const double = await AgentServerDouble.start();
    const other = await HostileAgentServer.start();
    const id = double.addConversation();
    let isOver = false;
    const grown = await growthDuring(async () => {
      const attacks = [hostile, other].flatMap(({ target }) =>
        Array.from({ length: HANGING }, async () => {
          while (!isOver) await failureOf(client.events.get(target, conversation, 'endless'));
        }),
      );
      for (let n = 0; n < rounds(8, 2); n++) {
        const sent = '{"role":"user","content":[{"type":"text","text":"hi"}],"run":false}';
        expect(await client.sendMessage(double.target, id, sent, 10_000)).toEqual({ kind: 'delivered' });
        expect((await client.events.search(double.target, id)).items.length).toBeGreaterThan(0);
      }
      isOver = true;
      await Promise.all(attacks);
    });
    expect(grown).toBeLessThan(MOST_MEBIBYTES + 128);
    await other.stop();
    await double.stop();
  });
});
