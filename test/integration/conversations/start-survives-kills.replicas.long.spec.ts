import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { callAbout, type CallMatcher, isStart } from '../../support/agent-server/agent-server-calls';
import { AgentServerDouble, type Fault } from '../../support/agent-server/agent-server-double';
import type { StartTask } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { call } from '../../support/service/http';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { ServiceProcess } from '../../support/service/service-process';

const HANG: Fault = { kind: 'hang', stored: false };
const LOST_RESPONSE: Fault = { kind: 'hang', stored: true };
const PATIENCE_MS = 45_000;

/** Where each start is held when the service is killed: the call that never comes back. */
const HELD = [
  { stage: 'PREPARING_REPOSITORY', path: '/execute_bash_command', command: 'git clone', fault: HANG },
  {
    stage: 'PREPARING_REPOSITORY',
    path: '/execute_bash_command',
    command: 'git clone',
    fault: LOST_RESPONSE,
  },
  { stage: 'RUNNING_SETUP_SCRIPT', path: '/execute_bash_command', command: 'setup.sh', fault: LOST_RESPONSE },
  { stage: 'SETTING_UP_GIT_HOOKS', path: '/execute_bash_command', command: 'pre-commit.sh', fault: HANG },
  { stage: 'SETTING_UP_SKILLS', path: '/api/skills', command: '', fault: HANG },
  { stage: 'STARTING_CONVERSATION', path: '/api/conversations', command: '', fault: HANG },
  { stage: 'STARTING_CONVERSATION', path: '/api/conversations', command: '', fault: LOST_RESPONSE },
] as const;

/** The call of a conversation that has the command, at the end of the path. */
function callHolding(wanted: { path: string; command: string; conversationId: string }): CallMatcher {
  const isMeant = callAbout(wanted.conversationId);
  return (call) =>
    call.method === 'POST' &&
    call.path.endsWith(wanted.path) &&
    call.body.includes(wanted.command) &&
    isMeant(call);
}

describe('a start whose service is killed', () => {
  const key = newKey();
  let folder: string;
  let database: TestDatabase;
  let double: AgentServerDouble;
  let git: TestGitServer;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'starts-'));
    [database, double, git] = await Promise.all([
      createTestDatabase(),
      AgentServerDouble.start({ folder }),
      TestGitServer.start(),
    ]);
    await git.repository('shop', { 'README.md': 'Shop', '.openhands/setup.sh': 'true' });
    await launch();
  });

  afterAll(async () => {
    await service.stop('SIGKILL');
    await Promise.all([double.stop(), git.close(), database.drop()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function launch(): Promise<void> {
    service = ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: 'a-secret-key-of-tests-0123456789',
      BOOTSTRAP_KEY: key,
      SANDBOX_DRIVER: 'external',
      AGENT_SERVER_URL: double.url,
      AGENT_SERVER_API_KEY: double.target.apiKey,
      GIT_ALLOWED_HOSTS: git.host,
      LLM_MODEL: 'echo',
      JOB_LEASE_SECONDS: '2',
      DELIVERY_SETTLE_SECONDS: '1',
    });
    url = await service.ready;
  }

  async function begin(conversation_id: string): Promise<StartTask> {
    const { status, body } = await call<StartTask>({ url }, 'POST', '/api/v1/app-conversations', {
      key,
      body: {
        conversation_id,
        selected_repository: git.url('shop'),
        secrets: { TOKEN: 'value' },
        initial_message: { content: [{ type: 'text', text: 'Once' }] },
      },
    });
    expect(status).toBe(200);
    return body;
  }

  async function tasks(ids: readonly string[]): Promise<StartTask[]> {
    const path = `/api/v1/app-conversations/start-tasks?ids=${ids.join(',')}`;
    return (await call<StartTask[]>({ url }, 'GET', path, { key })).body;
  }

  it('goes on after a restart from every stage, to one conversation that gets its message once', async () => {
    const held = HELD.map((hold) => ({ ...hold, conversationId: randomUUID() }));
    for (const { path, command, fault, conversationId } of held)
      // On a busy machine a lease may lapse: the start that is repeated must be held as well.
      double.fail(fault, callHolding({ path, command, conversationId }), Infinity);
    const ids: string[] = [];
    for (const { conversationId } of held) ids.push((await begin(conversationId)).id);
    await eventually(async () => {
      const stages = (await tasks(ids)).map(({ status }) => status);
      expect(stages).toEqual(held.map(({ stage }) => stage));
    }, PATIENCE_MS);
    // One more, killed as soon as it is answered: nothing of it has happened.
    const atOnce = randomUUID();
    ids.push((await begin(atOnce)).id);
    await service.stop('SIGKILL');

    double.heal();
    await launch();
    const ended = await eventually(async () => {
      const now = await tasks(ids);
      expect(
        now.map(({ status }) => status).filter((status) => !['READY', 'ERROR'].includes(status)),
      ).toEqual([]);
      return now;
    }, PATIENCE_MS);
    expect(ended.map(({ status, detail }) => ({ status, detail }))).toEqual(
      ids.map(() => ({ status: 'READY', detail: null })),
    );

    const conversationIds = [...held.map(({ conversationId }) => conversationId), atOnce];
    expect(ended.map((task) => task.app_conversation_id)).toEqual(conversationIds);
    for (const id of conversationIds)
      await eventually(
        () => expect(double.messages(id).map(({ text }) => text)).toEqual(['Once']),
        PATIENCE_MS,
      );
    const started = double
      .arrived(isStart)
      .map(({ body }) => JSON.parse(body) as { conversation_id: string; secrets: unknown });
    expect(new Set(started.map(({ conversation_id }) => conversation_id))).toEqual(new Set(conversationIds));
    for (const { secrets } of started)
      expect(secrets).toEqual({ TOKEN: { kind: 'StaticSecret', value: 'value' } });
  });
});
