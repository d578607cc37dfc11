import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBudget, makeConversation } from '../../support/budgets/spending';
import { eventually } from '../../support/eventually';
import { GatewayProcess } from '../../support/model-provider/gateway-process';
import { StubProvider } from '../../support/model-provider/stub-provider';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';

const CALLS = 10_000;
const ORGANIZATIONS = 10;
/** Of each organization. */
const CONVERSATIONS = 20;
/** Every eighth call is one of the same conversation, which may neither make so many at a time nor in a minute. */
const EAGER = 8;
const MEBIBYTE = 1024;
/** How much larger the service may get: by its bodies, of which there are 512 MiB at most, and by ten thousand connections. */
const MOST_GROWTH = 800 * MEBIBYTE;
/** What is left of one would add up with the next. */
const ROUNDS = 3;

let service: TestApp;
let provider: StubProvider;
let gateway: GatewayProcess;
let caller: TestCaller;
let conversations: string[];

beforeAll(async () => {
  service = await startTestApp({ env: { APP_ROLE: 'api' } });
  provider = await StubProvider.start();
  const { db, database } = service;
  conversations = [];
  for (let n = 0; n < ORGANIZATIONS; n++) {
    caller = await makeCaller(db, (await makeOrg(db)).id, 'owner');
    // One has room for nothing, one for few calls at a time.
    await makeBudget(db, caller.orgId, { usd: [0.0001, 0.005][n] ?? 1_000 });
    for (let count = 0; count < CONVERSATIONS; count++)
      conversations.push((await makeConversation(db, caller)).id);
  }
  gateway = await GatewayProcess.start(database.url, provider, { READ_CALLS_PER_MINUTE: '0' });
});
afterAll(async () => {
  await gateway.close();
  await service.close();
  await provider.stop();
});

const bodyOf = (length: number): Buffer => {
  const messages = [{ role: 'user', content: 'x'.repeat(length) }];
  return Buffer.from(JSON.stringify({ model: 'openai/test-model', max_tokens: 100, messages }));
};
const SMALL = bodyOf(10);
/** One in ten is larger than what is read with a request's head. */
const LARGE = bodyOf(128 * 1024);

/** Calls once. @returns the status, and the code of an error */
function ask(agent: Agent, conversation: string, body: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.keyOf(conversation)}`, 'content-length': body.length };
  return new Promise((resolve) => {
    const sent = request(`${gateway.url}/llm/v1/chat/completions`, { agent, method: 'POST', headers });
    sent.on('error', (error) => resolve(error.message));
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', (error) => resolve(error.message));
      response.on('end', () => {
        const code = /"code":"(\w+)"/.exec(text)?.[1];
        resolve(`${response.statusCode}${code === undefined ? '' : ` ${code}`}`);
      });
    });
    sent.end(body);
  });
}

/** Ten thousand calls at once. @returns how many were answered in which way */
async function askAll(): Promise<Record<string, number>> {
  const agent = new Agent();
  const eager = conversations.at(-1) ?? '';
  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_, n) => {
      const conversation = n % EAGER === 0 ? eager : (conversations[n % conversations.length] ?? eager);
      return ask(agent, conversation, n % 10 === 9 ? LARGE : SMALL);
    }),
  );
  agent.destroy();
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

/** Resident memory in KiB: now, and the most until now. */
async function memory(): Promise<{ readonly now: number; readonly most: number }> {
  const status = await readFile(`/proc/${gateway.service.child.pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** Makes other requests while something is done. @returns their statuses, and how many there were */
async function beside(work: Promise<unknown>): Promise<{ statuses: Set<number>; asked: number }> {
  const state = { isDone: false };
  const done = (): void => {
    state.isDone = true;
  };
  void work.then(done, done);
  const statuses = new Set<number>();
  const headers = { 'X-Access-Token': caller.key };
  let asked = 0;
  for (; !state.isDone; asked++) {
    for (const path of ['/alive', `/api/organizations/${caller.orgId}/conversations`])
      statuses.add((await fetch(gateway.url + path, { headers })).status);
    await sleep(20);
  }
  return { statuses, asked };
}

it('ten thousand calls at once are answered, counted once each, and leave nothing behind', async () => {
  const before = await memory();
  let answered = 0;
  let othersAnswered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const asked = askAll();
    const others = await beside(asked);
    const counts = await asked;
    expect(others).toMatchObject({ statuses: new Set([200]) });
    othersAnswered += others.asked;
    const several = expect.any(Number) as number;
    expect(counts).toEqual({
      '200': several,
      '402 budget_exhausted': several,
      '429 model_gateway_busy': several,
      '429 request_limit_reached': several,
    });
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(CALLS);
    answered += counts['200'] ?? 0;
    expect(provider.calls).toHaveLength(answered);
  }
  // This process makes the ten thousand as well: one at least gets through in each round, and more in some.
  expect(othersAnswered).toBeGreaterThan(ROUNDS);
  expect(provider.mostOpen).toBeLessThanOrEqual(64);

  const { prompt, completion } = provider.billed;
  await eventually(async () => {
    const ledger = await service.db.query<object[]>(
      `SELECT status, count(*)::int AS calls, sum(prompt_tokens)::int AS prompt, sum(completion_tokens)::int AS completion
         FROM model_calls GROUP BY 1`,
    );
    expect(ledger).toEqual([{ status: 'ok', calls: answered, prompt, completion }]);
  });
  const [budgets] = await service.db.query<[object]>(
    `SELECT sum(reserved_usd)::float8 AS reserved, sum(reserved_tokens)::int AS reserved_tokens,
            sum(spent_tokens)::int AS spent_tokens FROM budget_spending`,
  );
  expect(budgets).toEqual({ reserved: 0, reserved_tokens: 0, spent_tokens: prompt + completion });

  expect((await memory()).most - before.now).toBeLessThan(MOST_GROWTH);
});
