import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { SecretBox } from '../../../src/kernel/common';
import { readSettings } from '../../../src/kernel/config';
import { createDataSource } from '../../../src/kernel/database';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { LogDestination } from '../../../src/kernel/http';
import { NO_EXTENSIONS } from '../../../src/operations/extensions';
import { startService } from '../../../src/service';
import { createTestDatabase } from '../../support/database/postgres';
import { begin, TestSocket, whole } from '../../support/sandbox-access/door-calls';
import { insertSandbox } from '../../support/sandbox-access/door-service';
import { FarServer } from '../../support/sandbox-access/far-server';
import { eventually } from '../../support/eventually';
import { awakeMs } from '../../support/awake-clock';
import { timeBound } from '../../support/time-bound';

const SECRET_KEY = 'a-secret-key-of-tests-0123456789';

/** What a process is given to end after a signal. */
const STOP_MS = 4_900;

it('a service that stops closes WebSockets, answers requests under way, and is gone within five seconds', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'stop-'));
  const far = await FarServer.start();
  const key = newKey();
  const quiet = { info: () => undefined, warn: () => undefined };
  const settings = readSettings({
    DATABASE_URL: database.url,
    SECRET_KEY,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    BOOTSTRAP_KEY: key,
    APP_ROLE: 'api',
    SANDBOX_ISOLATION: 'none',
  });
  const service = await startService(settings, {
    log: quiet,
    logDestination: new LogDestination(),
    showsKey: true,
    extensions: NO_EXTENSIONS,
  });
  try {
    const db = await createDataSource(database.url, 1).initialize();
    const [owner] = await db.query<{ orgId: string; userId: string }[]>(
      'SELECT org_id AS "orgId", user_id AS "userId" FROM org_members',
    );
    if (owner === undefined) throw new Error('There is no first user.');
    const keys = new SandboxKeys(new SecretBox([SECRET_KEY]));
    const { door } = await insertSandbox(db, keys, { owner, baseUrl: far.url });
    await db.destroy();
    const url = `http://127.0.0.1:${service.settings.PORT}${door}`;
    const headers = { 'X-Access-Token': key };
    const polite = await TestSocket.open(`${url.replace('http', 'ws')}/x`, headers);
    const rude = await TestSocket.open(`${url.replace('http', 'ws')}/x`, headers);
    rude.socket.pause();
    far.upgraded = () => undefined;
    const waiting = await TestSocket.open(`${url.replace('http', 'ws')}/x`);
    waiting.authenticate(key);
    await eventually(() => expect(far.handshakes).toHaveLength(3));
    far.answer = (_request, response) => void polite.closed.then(() => response.end('at last'));
    const request = begin(`${url}/slow`, { headers });
    const answered = whole(request);
    request.end();
    await eventually(() => expect(far.received).toHaveLength(1));
    // Last: who does not say who they are has some seconds for it, which a busy machine may take for all of the above.
    const unknown = await TestSocket.open(`${url.replace('http', 'ws')}/x`);
    const mute = await TestSocket.open(`${url.replace('http', 'ws')}/x`);
    mute.socket.pause();
    const beganAt = awakeMs();
    const stopped = service.stop();
    for (const { closed } of [polite, unknown, waiting]) expect((await closed).code).toBe(1012);
    expect(await answered).toMatchObject({ status: 200, text: 'at last', isBroken: false });
    await stopped;
    expect(awakeMs() - beganAt).toBeLessThan(timeBound(STOP_MS));
    for (const { socket } of [rude, mute]) socket.terminate();
  } finally {
    await service.stop();
    await far.stop();
    await rm(dataDir, { recursive: true, force: true });
    await database.drop();
  }
});
