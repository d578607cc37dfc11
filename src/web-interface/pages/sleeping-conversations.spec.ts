import { runInNewContext } from 'node:vm';
import { SLEEPING_CONVERSATIONS } from './sleeping-conversations';

const ORIGIN = 'https://agents.test';
const ID = '3c9b0d4e-8f0f-4c9a-9f1e-3a7c0f1f4b21';
const SANDBOX = '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22';
const AT_SERVER = `${ORIGIN}/api/v1/sandboxes/${SANDBOX}/agent-server/api/conversations/${ID}`;
const RUNNING = {
  ...{ id: ID, sandbox_id: SANDBOX, sandbox_status: 'RUNNING', conversation_url: AT_SERVER },
  ...{ execution_status: 'running', metrics: { accumulated_cost: 0.5 } },
};
const PAUSED = { ...RUNNING, sandbox_status: 'PAUSED', conversation_url: null };

/** A page with the script, and what it asked the service. */
class ScriptedPage {
  /** What the service answers on each path. */
  readonly answers = new Map<string, unknown>();
  readonly asked: string[] = [];
  private readonly window = {
    fetch: (url: string): Promise<Response> => {
      this.asked.push(url);
      const answer = this.answers.get(new URL(url, ORIGIN).pathname);
      return Promise.resolve(
        answer === undefined ? new Response('', { status: 409 }) : Response.json(answer),
      );
    },
  };

  constructor() {
    const location = {
      href: `${ORIGIN}/conversations/${ID}`,
      origin: ORIGIN,
      pathname: `/conversations/${ID}`,
    };
    runInNewContext(SLEEPING_CONVERSATIONS, { window: this.window, location, URL, Response, setTimeout });
  }

  /** What the interface gets. */
  async get(url: string): Promise<unknown> {
    const response = await this.window.fetch(url);
    return response.status === 200 ? response.json() : response.status;
  }
}

describe('the script between the interface and the service', () => {
  let page: ScriptedPage;
  const record = (content: unknown): Promise<unknown> => {
    page.answers.set('/api/v1/app-conversations', [content]);
    return page.get(`/api/v1/app-conversations?ids=${ID}`);
  };
  const pause = (): Promise<unknown> => {
    page.answers.set(`/api/v1/sandboxes/${SANDBOX}/pause`, { success: true });
    return page.get(`/api/v1/sandboxes/${SANDBOX}/pause`);
  };
  beforeEach(() => (page = new ScriptedPage()));

  it('shows a paused conversation with an address, at which its record is', async () => {
    const address = `${ORIGIN}/asleep/api/conversations/${ID}`;
    expect(await record(PAUSED)).toEqual([
      { ...PAUSED, conversation_url: address, execution_status: 'paused' },
    ]);
    expect(await page.get(address)).toEqual({ ...PAUSED, execution_status: 'paused' });
    expect(page.asked).toEqual([`/api/v1/app-conversations?ids=${ID}`]);
  });

  it('leaves a running one as it is, and its agent server to answer', async () => {
    page.answers.set(new URL(AT_SERVER).pathname, { stats: {} });
    expect(await record(RUNNING)).toEqual([RUNNING]);
    expect(await page.get(AT_SERVER)).toEqual({ stats: {} });
  });

  it('asks no agent server for costs once the page pauses its sandbox, until it runs again', async () => {
    await record(RUNNING);
    expect(await pause()).toEqual({ success: true });
    expect(await page.get(AT_SERVER)).toEqual({ ...RUNNING, execution_status: 'paused' });
    expect(page.asked).not.toContain(AT_SERVER);
    await record(RUNNING);
    expect(await page.get(AT_SERVER)).toBe(409);
  });

  it('asks those of other sandboxes as before', async () => {
    await record({ ...RUNNING, sandbox_id: ID });
    await pause();
    expect(await page.get(AT_SERVER)).toBe(409);
  });
});
