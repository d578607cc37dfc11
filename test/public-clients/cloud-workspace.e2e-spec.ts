import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { cloudWorkspaceVersion, ensureCloudWorkspace } from '../../scripts/cloud-workspace-environment';
import { newKey } from '../../src/accounts/api-keys/keys/key-format';
import { createTestDatabase, type TestDatabase } from '../support/database/postgres';
import { eventually } from '../support/eventually';
import { reply, ScriptedModel } from '../support/model/scripted-model';
import { freePort } from '../support/service/free-port';
import { call } from '../support/service/http';
import { ServiceProcess } from '../support/service/service-process';
import { differentCalls, expectMeasured } from './different-calls';
import { endSandboxes } from './end-sandboxes';
import { type ProgramRun, type ProgramStep, runProgram } from './python-program';

const MODEL_KEY = 'sk-kept-in-the-settings';
const PROFILE_KEY = 'sk-kept-in-a-profile';
const TOKEN = 'kept-as-a-secret';
const ROW = '[cloud workspace](#cloud-workspace) (`openhands-workspace`)';

describe(`the cloud workspace ${cloudWorkspaceVersion()} of the software development kit`, () => {
  const key = newKey();
  let database: TestDatabase;
  let dataDir: string;
  let model: ScriptedModel;
  let service: ServiceProcess;
  let url: string;
  let run: ProgramRun;

  beforeAll(async () => {
    const { command } = await ensureAgentServer();
    const python = await ensureCloudWorkspace();
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'cloud-workspace-'));
    await chmod(dataDir, 0o755);
    model = await ScriptedModel.start();
    const port = await freePort();
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      BOOTSTRAP_KEY: key,
      LOG_LEVEL: 'debug',
      JOB_LEASE_SECONDS: '2',
      PORT: `${port}`,
      SANDBOX_DRIVER: 'process',
      SANDBOX_ISOLATION: 'none',
      AGENT_SERVER_COMMAND: command,
      LLM_MODEL: 'openai/of-the-house',
      LLM_BASE_URL: model.baseUrl,
      LLM_API_KEY: 'sk-of-the-house',
    });
    url = await service.ready;
    await keep();
    model.when(
      'Say what the token is.',
      reply.tool('terminal', {
        command:
          'pwd; until test -e polled.txt; do sleep 0.1; done; test "$SHOP_TOKEN" && echo there is one > token.txt && cat token.txt',
      }),
      reply.text('There is one.'),
    );
    run = await runProgram(python, 'cloud-workspace.py', { SERVICE_URL: url, SERVICE_KEY: key });
  }, 900_000);

  afterAll(async () => {
    await endSandboxes(url, key);
    await service.stop();
    await model.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** What the user keeps: a model with its key, a profile and a secret. */
  async function keep(): Promise<void> {
    const llm = { llm_model: 'openai/scripted', llm_base_url: model.baseUrl, llm_api_key: MODEL_KEY };
    const profile = { llm: { model: 'openai/fast', base_url: model.baseUrl, api_key: PROFILE_KEY } };
    const secret = { name: 'SHOP_TOKEN', value: TOKEN, description: 'For the shop' };
    const mcp_config = {
      search: {
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: 'Bearer s3cret' },
        enabled: true,
      },
      tickets: { command: 'true', env: { TOKEN: 's3cret' } },
    };
    for (const [path, body] of [
      ['/api/v1/settings', { ...llm, agent_settings_diff: { mcp_config } }],
      ['/api/v1/settings/profiles/Fast', profile],
      ['/api/v1/secrets', secret],
    ] as const)
      expect((await call({ url }, 'POST', path, { key, body })).status).toBeLessThan(300);
  }

  const step = (name: string): ProgramStep => {
    const found = run.steps.find((each) => each.step === name);
    if (found === undefined) throw new Error(`The step ${name} is missing:\n${run.output}`);
    return found;
  };

  it('has every request answered as it expects', async () => {
    expect(run.steps.filter(({ error }) => error !== undefined)).toEqual([]);
    const requests = run.steps.flatMap((one) => one.requests);
    const calls = requests.map(([method, address, status]) => ({ method, url: address, status }));
    await expectMeasured(ROW, cloudWorkspaceVersion(), differentCalls(calls, url));
  });

  it('gets a sandbox, in whose /workspace/project it runs commands and has files', () => {
    expect(step('create').result).toEqual(expect.any(String));
    expect(step('command').result).toEqual([0, '/workspace/project\n']);
    expect(step('files').result).toEqual([true, true, 'from here']);
  });

  it('gets the model and the secrets that the user keeps', () => {
    const kept = { model: 'openai/scripted', base_url: model.baseUrl, api_key: MODEL_KEY };
    expect(step('model').result).toEqual(kept);
    expect(step('model of a profile').result).toEqual({
      ...kept,
      model: 'openai/fast',
      api_key: PROFILE_KEY,
    });
    expect(step('secrets').result).toEqual({ SHOP_TOKEN: 'For the shop' });
    expect(step('tool servers').result).toEqual(['shttp_0', 'tickets']);
  });

  it('has a conversation in which the agent uses a tool and a secret, and which the service knows', async () => {
    const { id, status, observations } = step('conversation').result as {
      id: string;
      status: string;
      observations: string[];
    };
    expect(status).toBe('finished');
    expect(observations).toEqual([expect.stringContaining('there is one')]);
    expect(observations[0]).toContain('/workspace/project');
    await eventually(async () => {
      const { body } = await call<{ execution_status: string } | null>(
        { url },
        'GET',
        `/api/v1/app-conversations/${id}`,
        { key },
      );
      expect(body).toMatchObject({ execution_status: 'finished' });
    });
  });

  it('goes on after a pause, from another program too, and deletes its sandbox', () => {
    expect(step('pause').result).toEqual({ success: true });
    expect(step('resume').result).toBe(step('create').result);
    expect(step('command after the pause').result).toEqual([0, 'made\n']);
    expect(step('attach').result).toBe('made\n');
    expect(step('delete').requests.map(([method, , status]) => [method, status])).toEqual([['DELETE', 200]]);
  });

  it('leaves nothing of what it got in the log of the service', () => {
    expect(service.output).toContain('/settings/secrets');
    for (const secret of [MODEL_KEY, PROFILE_KEY, TOKEN])
      expect(service.output + service.errors).not.toContain(secret);
  });
});
