import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDir } from '../../../src/data-dir';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { eventually } from '../../support/eventually';
import { ServiceProcess } from '../../support/service/service-process';

describe('the address that a service leaves in its data folder', () => {
  let dataDir: string;
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'address-'));
    database = await createTestDatabase();
    service = ServiceProcess.start({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      SECRET_KEY: 'a key of the tests: 0123456789abcdef',
    });
  });

  afterEach(async () => {
    await service.discard();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is believed while it runs, and not after %s: whoever listens there then is another',
    async (signal) => {
      const url = await service.ready;
      await eventually(async () => expect(await DataDir.addressOf(dataDir)).toBe(url));
      await service.stop(signal);
      expect(await DataDir.addressOf(dataDir)).toBeNull();
    },
  );
});
