import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDataSource } from '../../../src/database';
import { AgentServerDouble } from '../../support/agent-server/agent-server-double';
import { createTestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { ConversationClient } from '../../support/service/conversation-client';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { ServiceProcess } from '../../support/service/service-process';

const PASSWORD = 'the-password-of-a-repository';
const WRONG = 'a-password-that-does-not-work';

it('a git credential is in no command line while it clones, and in no log, whether it works or not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clone-credentials-'));
  const database = await createTestDatabase();
  const db = await createDataSource(database.url, 2).initialize();
  const double = await AgentServerDouble.start({ folder });
  const git = await TestGitServer.start();
  const service = ServiceProcess.start({
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, SECRET_KEY: 'a secret of this test, 0123456789' },
    ...{ LOG_LEVEL: 'trace', LLM_MODEL: 'echo', GIT_ALLOWED_HOSTS: git.host, WEB_UI: 'off' },
    ...{ SANDBOX_DRIVER: 'external', EXTERNAL_ORG_ID: '*' },
    ...{ AGENT_SERVER_URL: double.url, AGENT_SERVER_API_KEY: double.target.apiKey },
  });
  try {
    await git.repository('private/shop', { 'README.md': 'private' });
    const { key } = await makeCaller(db, (await makeOrg(db)).id);
    const client = new ConversationClient({ url: new URL(await service.ready).origin }, key);
    const clone = async (password: string) => {
      const credential = { url_prefix: `http://${git.host}/private`, username: 'bot', password };
      const { body } = await client.call<{ id: string }>('POST', '/api/v1/git/credentials', {
        body: credential,
      });
      git.requests.length = 0;
      let release: () => void = () => undefined;
      git.behaviour = {
        auth: { prefix: '/private', username: 'bot', password: PASSWORD },
        // While the processes of the clone are looked at.
        knownHeldUntil: new Promise((resolve) => (release = resolve)),
      };
      const task = await client.begin({ selected_repository: git.url('private/shop') });
      await eventually(() => expect(git.requests.some((sent) => sent.authorization)).toBe(true));
      const { stdout: commands } = await promisify(execFile)('ps', ['-ww', '-eo', 'args']);
      release();
      const { status, detail } = await client.ended(task.id);
      await client.call('DELETE', `/api/v1/git/credentials/${body.id}`);
      return { commands, status, detail };
    };
    const wrong = await clone(WRONG);
    const right = await clone(PASSWORD);
    expect([wrong.status, right.status]).toEqual(['ERROR', 'READY']);
    for (const { commands } of [wrong, right]) expect(commands).toContain(git.url('private/shop'));
    await eventually(() => expect(service.output).toContain('/api/v1/git/credentials'));
    const seen = JSON.stringify([wrong, right]) + service.output + service.errors;
    for (const secret of [WRONG, PASSWORD]) expect(seen).not.toContain(secret);
  } finally {
    await service.discard();
    await Promise.all([git.close(), double.stop(), db.destroy()]);
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
