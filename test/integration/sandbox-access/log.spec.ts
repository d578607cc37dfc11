import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretBox } from '../../../src/kernel/common';
import { createDataSource } from '../../../src/kernel/database';
import { SandboxKeys } from '../../../src/sandboxes/sandboxes/record/sandbox-keys';
import { createTestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { begin, TestSocket, whole } from '../../support/sandbox-access/door-calls';
import { insertSandbox } from '../../support/sandbox-access/door-service';
import { FarServer } from '../../support/sandbox-access/far-server';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { ServiceProcess } from '../../support/service/service-process';

const SECRET_KEY = 'a secret that only this test knows, 0123456789';
const ADDRESS = '203.0.113.9';

it('what passes is in the log like every request, without any key', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'door-log-'));
  const db = await createDataSource(database.url, 2).initialize();
  const far = await FarServer.start();
  const service = ServiceProcess.start({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY,
    TRUSTED_HOPS: '1',
    APP_ROLE: 'api',
  });
  try {
    const url = new URL(await service.ready).origin;
    const owner = await makeCaller(db, (await makeOrg(db)).id);
    const keys = new SandboxKeys(new SecretBox([SECRET_KEY]));
    const sandbox = await insertSandbox(db, keys, { owner, baseUrl: far.url });
    const lineOf = (id: string, word: string) =>
      eventually(() => {
        const lines = service.output.split('\n').filter((line) => line.includes(id) && line.includes(word));
        if (lines.length !== 1) throw new Error(`There are ${lines.length} lines of ${id}.`);
        return JSON.parse(lines[0] ?? '') as unknown;
      });
    const headers = { 'X-Access-Token': owner.key, 'X-Forwarded-For': ADDRESS };
    const get = async (path: string, id: string) => {
      const sent = begin(url + sandbox.door + path, { headers: { ...headers, 'X-Request-Id': id } });
      sent.end();
      return (await whole(sent)).status;
    };
    const { userId: user, orgId: organization, keyId } = owner;
    const who = { user, organization, keyId, address: ADDRESS };

    expect(await get(`/a/b?x=1&session_api_key=${sandbox.key}`, 'passed')).toBe(200);
    expect(far.last.url).toBe('/a/b?x=1');
    expect(await lineOf('passed', 'completed')).toMatchObject({
      ...who,
      level: 30,
      requestId: 'passed',
      res: { status: 200 },
      req: { method: 'GET', path: `${sandbox.door}/a/b` },
    });
    expect(await get('/a/..%2fb', 'refused')).toBe(400);
    expect(await lineOf('refused', 'completed')).toMatchObject({ ...who, level: 30, res: { status: 400 } });
    far.answer = (_request, response) => void response.writeHead(500).end();
    expect(await get('/a', 'failed')).toBe(500);
    expect(await lineOf('failed', 'completed')).toMatchObject({ ...who, level: 40, res: { status: 500 } });

    const address = `${url.replace('http', 'ws')}${sandbox.door}/sockets/x`;
    const byQuery = await TestSocket.open(`${address}?session_api_key=${sandbox.key}`, {
      'X-Request-Id': 'by-query',
    });
    const byMessage = await TestSocket.open(address, { 'X-Request-Id': 'by-message' });
    byMessage.authenticate(owner.key);
    await eventually(() => expect(far.handshakes).toHaveLength(2));
    for (const { socket } of [byQuery, byMessage]) socket.close();
    expect(await lineOf('by-query', 'completed')).toMatchObject({
      sandbox: sandbox.id,
      res: { status: 101 },
    });
    expect(await lineOf('by-query', 'ended')).toMatchObject({ sandbox: sandbox.id, keyId: null });
    expect(await lineOf('by-message', 'ended')).toMatchObject({ sandbox: sandbox.id, user, keyId });

    for (const secret of [owner.key, sandbox.key]) expect(service.output).not.toContain(secret);
  } finally {
    await service.discard();
    await far.stop();
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
