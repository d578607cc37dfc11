import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource } from '../../../src/kernel/database';
import { awakeMs } from '../../support/awake-clock';
import { createTestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { storeConversation } from '../../support/queue/conversation-rows';
import { startTestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { ServiceProcess } from '../../support/service/service-process';
import { agentEvent, storeEvents } from '../../support/streams/stored-events';
import { StreamReader } from '../../support/streams/stream-reader';
import { timeBound } from '../../support/time-bound';

/** What a process is given to end after a signal. */
const STOP_MS = 5_000;

it('a service that stops ends its streams with a hint when to come back, and is gone within five seconds', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'stop-'));
  const db = await createDataSource(database.url, 2).initialize();
  const other = await startTestApp({ database });
  const service = ServiceProcess.start({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    WEB_UI: 'off',
    LOG_LEVEL: 'info',
    SECRET_KEY: 'a-secret-key-of-tests-0123456789',
  });
  const streams: StreamReader[] = [];
  try {
    const { origin } = new URL(await service.ready);
    const { orgId: org_id, userId: created_by_user_id, key } = await makeCaller(db, (await makeOrg(db)).id);
    const [quiet, full] = [
      (await storeConversation(db, { org_id, created_by_user_id })).id,
      (await storeConversation(db, { org_id, created_by_user_id })).id,
    ];
    const filler = 'x'.repeat(500_000);
    await storeEvents(
      other,
      full,
      Array.from({ length: 50 }, () => agentEvent({ filler })),
    );
    const open = async (id: string, from = origin): Promise<StreamReader> => {
      const stream = await StreamReader.open(`${from}/api/v1/conversation/${id}/events/stream?after=0`, {
        key,
      });
      streams.push(stream);
      expect(stream.status).toBe(200);
      return stream;
    };
    const readers = [await open(quiet), await open(quiet)];
    const hung = await open(full);
    hung.pause();
    await eventually(() => expect(readers.map(({ lastId }) => lastId)).toEqual(['0', '0']));

    const beganAt = awakeMs();
    expect(await service.stop()).toBe(0);
    expect(awakeMs() - beganAt).toBeLessThan(timeBound(STOP_MS));
    for (const reader of readers) {
      await reader.closed();
      expect(reader.of('end').map(({ data }) => data)).toEqual([
        '{"reason":"service_stopping","resumable":true}',
      ]);
      expect(reader.retryMs).toBeGreaterThanOrEqual(1_000);
      expect(reader.retryMs).toBeLessThan(5_000);
    }

    await storeEvents(other, quiet, [agentEvent()]);
    const resumed = await open(quiet, other.url);
    await resumed.until(1);
  } finally {
    for (const stream of streams) stream.close();
    await service.discard();
    await other.close();
    await db.destroy();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
