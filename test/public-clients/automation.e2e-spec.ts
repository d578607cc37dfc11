import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { ensureAutomation } from '../../scripts/automation-environment';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';
import { eventually } from '../support/eventually';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { ConversationClient } from '../support/service/conversation-client';
import { makeCaller, makeOrg, type TestCaller } from '../support/service/factories';
import { freePort } from '../support/service/free-port';
import { call } from '../support/service/http';
import { ServiceProcess } from '../support/service/service-process';
import { startBrowser } from '../support/browser/chromium';
import { describeWithInterface } from '../support/web-interface/real-interface';
import { signIn, WatchedPage } from '../support/web-interface/watched-page';
import { AutomationService, standInForUv } from './automation-service';
import { type AnsweredCall, differentCalls, expectMeasured } from './different-calls';
import { endSandboxes } from './end-sandboxes';

const SERVICE_API_KEY = 'abcdefghijabcdefghijabcdefghijab';
const HOST = 'agents.test';
const PROMPT = 'Water the plants.';
const ROW = '[service for automations](#service-for-automations) (`openhands-automation`)';
const RUN_MS = 240_000;
const PATIENCE_MS = 90_000;

interface Automation {
  readonly id: string;
  readonly state?: string;
}

interface Run {
  readonly status: string;
  readonly error_detail: string | null;
  readonly conversation_id: string | null;
}

const requestLine = z.object({
  req: z.object({ method: z.string(), path: z.string() }),
  res: z.object({ status: z.number() }),
});

// Longer than a run may take, so that a failure says what the service for automations printed.
jest.setTimeout(2 * RUN_MS);

describe('the service for automations', () => {
  let database: TestDatabase;
  let db: DataSource;
  let dataDir: string;
  let model: ScriptedModel;
  let service: ServiceProcess;
  let url: string;
  let automations: AutomationService;
  let version: string;
  let member: TestCaller;
  let admin: TestCaller;

  beforeAll(async () => {
    const { command } = await ensureAgentServer();
    const python = await ensureAutomation();
    version = python.version;
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'automations-'));
    await chmod(dataDir, 0o755);
    await mkdir(join(dataDir, 'automations'), { mode: 0o700 });
    model = await ScriptedModel.start();
    const [port, automationPort] = [await freePort(), await freePort()];
    const bin = await standInForUv(python);
    const settings = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      SERVICE_API_KEY,
      LOG_LEVEL: 'info',
      JOB_LEASE_SECONDS: '2',
      PORT: `${port}`,
      AUTOMATION_URL: `http://127.0.0.1:${automationPort}`,
      ...{
        SANDBOX_DRIVER: 'process',
        SANDBOX_ISOLATION: 'none',
        AGENT_SERVER_COMMAND: command,
      },
      LLM_BASE_URL: model.baseUrl,
      // Sandboxes reach the service for automations, which is on this host as well.
      GIT_ALLOWED_HOSTS: `127.0.0.1:${automationPort}`,
      PATH: `${bin}:${process.env.PATH ?? ''}`,
    };
    service = ServiceProcess.start(settings);
    url = await service.ready;
    db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const org = await makeOrg(db);
    [member, admin] = [await makeCaller(db, org.id), await makeCaller(db, org.id, 'admin')];
    const llm = {
      llm_model: 'openai/scripted',
      llm_base_url: model.baseUrl,
      llm_api_key: 'sk-of-the-member',
    };
    await call({ url }, 'POST', '/api/v1/settings', { key: member.key, body: llm });
    automations = await AutomationService.start({
      python,
      port: automationPort,
      folder: join(dataDir, 'automations'),
      serviceUrl: url,
      serviceKey: SERVICE_API_KEY,
    });
  }, 900_000);

  afterAll(async () => {
    await automations.stop();
    await endSandboxes(url, member.key);
    await db.destroy();
    await service.stop();
    await model.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** An automation from a prompt, as the package makes them; it runs when it is asked to. */
  const made = (key: string) =>
    automations.call<Automation>(key, 'POST', '/preset/prompt', {
      name: 'Gardener',
      prompt: PROMPT,
      trigger: { type: 'cron', schedule: '0 0 1 1 *' },
    });

  it('runs an automation of a member, which has a conversation of theirs on the service', async () => {
    model.when(
      PROMPT,
      reply.tool('terminal', { command: 'pwd' }),
      reply.tool('finish', { message: 'They are watered.', status: 'success', outcome_summary: 'Watered.' }),
    );
    const { status, body: automation } = await made(member.key);
    expect(status).toBe(201);
    const started = await automations.call<Run>(member.key, 'POST', `/${automation.id}/dispatch`);
    expect(started.status).toBe(201);
    const run = await eventually(async () => {
      const { body } = await automations.call<{ runs: Run[] }>(member.key, 'GET', `/${automation.id}/runs`);
      const [latest] = body.runs;
      if (latest === undefined || ['PENDING', 'RUNNING'].includes(latest.status))
        throw new Error(`It is ${latest?.status}.`);
      return latest;
    }, RUN_MS).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${automations.output}`);
    });
    expect(run).toMatchObject({ status: 'COMPLETED', error_detail: null });
    const client = new ConversationClient({ url }, member.key);
    const id = run.conversation_id ?? '';
    expect((await client.texts(id, 'user', 1))[0]).toContain(PROMPT);
    expect(await client.record(id)).toMatchObject({ id, created_by_user_id: member.userId });
  });

  it('lets admins turn off what members made, and nobody else', async () => {
    const { body: automation } = await made(member.key);
    const turnOff = ({ key }: TestCaller) =>
      automations.call<Automation>(key, 'PATCH', `/${automation.id}`, { enabled: false });
    const colleague = await makeCaller(db, member.orgId);
    expect((await automations.call(colleague.key, 'GET', `/${automation.id}`)).status).toBe(200);
    expect((await turnOff(colleague)).status).toBe(403);
    expect((await turnOff(admin)).status).toBe(200);
  });

  it('is reached through this service by members, who have the same part in it', async () => {
    const path = '/api/automation/v1';
    const { body: automation } = await made(member.key);
    const list = await call<{ automations: Automation[] }>({ url }, 'GET', path, { key: member.key });
    expect([list.status, list.body.automations.map(({ id }) => id)]).toEqual([
      200,
      expect.arrayContaining([automation.id]),
    ]);
    const turnOff = ({ key }: TestCaller) =>
      call({ url }, 'PATCH', `${path}/${automation.id}`, { key, body: { enabled: false } });
    expect((await turnOff(await makeCaller(db, member.orgId))).status).toBe(403);
    expect((await turnOff(member)).status).toBe(200);
    const stranger = await makeCaller(db, (await makeOrg(db)).id);
    const theirs = await call<{ automations: Automation[] }>({ url }, 'GET', path, { key: stranger.key });
    expect(theirs.body.automations).toEqual([]);
  });

  describeWithInterface('in the web interface', () => {
    it('shows automations, and turns one off by a press', async () => {
      const { body: automation } = await made(member.key);
      const browser = await startBrowser([HOST]);
      try {
        const origin = `http://${HOST}:${new URL(url).port}`;
        const watched = await WatchedPage.open(browser, origin, PATIENCE_MS);
        const { page } = watched;
        await page.goto(origin);
        await signIn(page, member.key);
        await page.getByTestId('sidebar-automations-link').click();
        await page.getByText('Gardener').first().waitFor();
        await page.goto(`${origin}/automations/${automation.id}`);
        await page.getByText(member.email).waitFor();
        await page.getByRole('switch').click();
        await page.getByText('Inactive').first().waitFor();
        const read = await automations.call<Automation>(member.key, 'GET', `/${automation.id}`);
        expect(read.body).toMatchObject({ enabled: false });
        expect(await watched.takeFaults()).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });

  /** Its requests so far, by the log of the service. */
  const requests = (): AnsweredCall[] =>
    service.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .flatMap((line) => {
        const { success, data } = requestLine.safeParse(JSON.parse(line));
        const isTheirs = success && /^\/api\/(service|v1\/sandboxes|v1\/users\/me)/.test(data.req.path);
        return isTheirs ? [{ method: data.req.method, url: data.req.path, status: data.res.status }] : [];
      });

  it('has every request answered as it expects, to the end of the sandbox', async () => {
    await eventually(() => expect(requests().map(({ method }) => method)).toContain('DELETE'), RUN_MS);
    await expectMeasured(ROW, version, differentCalls(requests(), url));
  });
});
