import { DoubledService } from '../../support/agent-server/doubled-service';
import { MachinesDriver, MachinesModule } from '../../support/agent-server/machines';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { type HttpResponse, call, type ErrorBody } from '../../support/service/http';
import { letIn } from '../../support/sign-in/link-credentials';

interface Found extends ErrorBody {
  readonly items: readonly { readonly provider?: string | null; readonly name: string }[];
  readonly next_page_id: string | null;
}

const MODELS = '/api/v1/config/models/search';
const PROVIDERS = '/api/v1/config/providers/search';
/** As the real one: with names that begin with no provider, and verified ones that are also listed. */
const KNOWN = {
  providers: ['anthropic', 'openai', 'xai'],
  models: ['claude-x', 'openai/gpt-5', 'openai/gpt-old', '512-x-512/painter', 'xai/grok'],
  verified: { anthropic: ['claude-x'], openai: ['gpt-5'], glm: ['glm-5'] },
};

const get = (app: TestApp, path: string, key: string): Promise<HttpResponse<Found>> =>
  call<Found>(app, 'GET', path, { key });

describe('models and providers that an agent server knows', () => {
  let doubled: DoubledService;
  const app = () => doubled.service.app;
  const newCaller = async (): Promise<TestCaller> => makeCaller(app().db, (await makeOrg(app().db)).id);
  const asked = () => doubled.double.calls.filter(({ path }) => path.startsWith('/api/llm/'));

  beforeAll(async () => {
    doubled = await DoubledService.start({ LLM_MODEL: 'house/model' });
  });
  afterAll(() => doubled.close());
  beforeEach(() => {
    doubled.double.heal();
    doubled.double.calls.length = 0;
    doubled.double.models = KNOWN;
  });

  it('are listed beside those that are set, with what it says of them', async () => {
    const { key } = await newCaller();
    const { body } = await get(app(), MODELS, key);
    const model = (provider: string, name: string, verified: boolean, isDefault = false) => {
      return { provider, name, verified, free: false, default: isDefault };
    };
    expect(body).toEqual({
      items: [
        model('anthropic', 'claude-x', true),
        model('glm', 'glm-5', true),
        model('house', 'model', true, true),
        model('openai', 'gpt-5', true),
        model('openai', 'gpt-old', false),
        model('xai', 'grok', false),
      ],
      next_page_id: null,
    });
    expect((await get(app(), PROVIDERS, key)).body.items).toEqual([
      { name: 'anthropic', verified: true },
      { name: 'glm', verified: true },
      { name: 'house', verified: true },
      { name: 'openai', verified: true },
      { name: 'xai', verified: false },
    ]);
  });

  it('are filtered and paged like the others', async () => {
    const { key } = await newCaller();
    const names = async (path: string) => (await get(app(), path, key)).body.items.map(({ name }) => name);
    expect(await names(`${MODELS}?provider__eq=openai`)).toEqual(['gpt-5', 'gpt-old']);
    expect(await names(`${MODELS}?provider__eq=openai&verified__eq=false`)).toEqual(['gpt-old']);
    expect(await names(`${MODELS}?verified__eq=true&query=G`)).toEqual(['glm-5', 'gpt-5']);
    expect(await names(`${PROVIDERS}?verified__eq=false`)).toEqual(['xai']);
    const first = await get(app(), `${MODELS}?limit=5`, key);
    expect(await names(`${MODELS}?limit=5&page_id=${first.body.next_page_id}`)).toEqual(['grok']);
  });

  it('are asked for once a minute, whoever searches how often', async () => {
    const { key } = await newCaller();
    await Promise.all([MODELS, MODELS, PROVIDERS, PROVIDERS].map((path) => get(app(), path, key)));
    await get(app(), MODELS, key);
    expect(asked().map(({ path }) => path)).toEqual([
      '/api/llm/providers',
      '/api/llm/models',
      '/api/llm/models/verified',
    ]);
  });

  it.each([
    ['hangs', () => doubled.double.fail({ kind: 'hang', stored: false }, isModelCall, 3)],
    ['resets', () => doubled.double.fail({ kind: 'reset', stored: false }, isModelCall, 3)],
    ['fails', () => doubled.double.fail(status(500), isModelCall, 3)],
    ['has no such list', () => doubled.double.fail(status(404), isModelCall, 3)],
    ['sends nonsense', () => Object.assign(doubled.double, { models: { models: [1], verified: 'x' } })],
    [
      'sends more than is read',
      () => {
        doubled.double.models = { ...KNOWN, models: Array.from({ length: 10_001 }, (_, i) => `openai/${i}`) };
      },
    ],
    [
      'sends too many bytes',
      () => {
        doubled.double.models = { ...KNOWN, models: [`openai/${'x'.repeat(2 ** 21)}`] };
      },
    ],
  ])('are left out while the agent server %s', async (_what, happen) => {
    const { key } = await newCaller();
    happen();
    const found = await get(app(), MODELS, key);
    expect(found.status).toBe(200);
    expect(found.body.items.map(({ name }) => name)).toEqual(['model']);
    expect((await get(app(), PROVIDERS, key)).body.items).toEqual([{ name: 'house', verified: true }]);
  });

  it('are left out while nobody listens', async () => {
    const { key } = await newCaller();
    await doubled.double.refuse();
    try {
      expect((await get(app(), MODELS, key)).body.items).toHaveLength(1);
    } finally {
      await doubled.double.accept();
    }
  });
});

describe('models that agent servers of sandboxes know', () => {
  let app: TestApp;
  let machines: MachinesDriver;
  const listed = async ({ key }: TestCaller, path = MODELS) =>
    (await get(app, path, key)).body.items.map(({ name }) => name);
  const becomes = (status: string, id: string, owner: TestCaller) =>
    eventually(async () => {
      const found = await call<{ status: string }[]>(app, 'GET', `/api/v1/sandboxes?id=${id}`, owner);
      expect(found.body[0]?.status).toBe(status);
    });
  /** The id of a sandbox whose agent server knows some models. */
  async function runningSandbox(owner: TestCaller, models: typeof KNOWN): Promise<string> {
    const { body } = await call<{ id: string }>(app, 'POST', '/api/v1/sandboxes', owner);
    await becomes('RUNNING', body.id, owner);
    Object.assign(machines.machines.get(body.id) ?? {}, { models });
    return body.id;
  }

  beforeAll(async () => {
    const env = { SANDBOX_DRIVER: 'machines', LLM_MODEL: 'house/model' };
    app = await startTestApp({ env, drivers: ['machines'], extensions: [MachinesModule] });
    machines = app.app.get(MachinesDriver);
  });
  afterAll(async () => {
    await app.close();
    for (const machine of machines.machines.values()) await machine?.stop();
  });

  it('are listed to its owner while it runs, and never to somebody else', async () => {
    const { id: orgId } = await makeOrg(app.db);
    const owner = await makeCaller(app.db, orgId);
    const other = await makeCaller(app.db, orgId);
    expect(await listed(owner)).toEqual(['model']);
    const id = await runningSandbox(owner, KNOWN);
    expect(await listed(owner, `${MODELS}?provider__eq=openai`)).toEqual(['gpt-5', 'gpt-old']);
    expect(await listed(other)).toEqual(['model']);
    await call(app, 'POST', `/api/v1/sandboxes/${id}/pause`, owner);
    await becomes('PAUSED', id, owner);
    expect(await listed(owner)).toEqual(['model']);
    await call(app, 'DELETE', `/api/v1/sandboxes/${id}`, owner);
  });

  it('are those of the member’s own to the member, and to whom a link let in those of what was made so', async () => {
    const { id: orgId } = await makeOrg(app.db);
    const admin = await makeCaller(app.db, orgId, 'admin');
    const member = await makeCaller(app.db, orgId);
    const visitor = { ...member, key: (await letIn(app, admin, member.userId)).key };
    const own = await runningSandbox(member, { ...KNOWN, models: ['openai/own'] });
    const providers = `${MODELS}?provider__eq=openai&verified__eq=false`;
    expect(await listed(visitor)).toEqual(['model']);
    const theirs = await runningSandbox(visitor, { ...KNOWN, models: ['openai/theirs'] });
    expect(await listed(visitor, providers)).toEqual(['theirs']);
    expect(await listed(member, providers)).toEqual(['own']);
    for (const id of [own, theirs]) await call(app, 'DELETE', `/api/v1/sandboxes/${id}`, member);
  });
});

const isModelCall = ({ path }: { path: string }): boolean => path.startsWith('/api/llm/');
const status = (code: number) => ({ kind: 'status', status: code, stored: false }) as const;
