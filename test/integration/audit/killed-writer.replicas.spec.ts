import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../../src/kernel/database';
import { awakeMs } from '../../support/awake-clock';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';
import { eventually } from '../../support/eventually';
import { ServiceProcess } from '../../support/service/service-process';
import { timeBound } from '../../support/time-bound';

/** What a process that is killed loses at most of what is written after the response. */
const LOST_MS = 200;
const ROUNDS = 3;
const CALLERS = 6;

/** A call that was answered. */
interface Answered {
  readonly id: string;
  readonly status: number;
  /** By the clock of the test. */
  readonly at: number;
}

describe('a service that is killed', () => {
  let database: TestDatabase;
  let db: DataSource;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = await createDataSource(database.url, 2).initialize();
    folder = await mkdtemp(join(tmpdir(), 'audit-killed-'));
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The calls of those given that have no row. */
  async function withoutRow(calls: readonly Answered[]): Promise<Answered[]> {
    const found = await db.query<{ id: string }[]>(
      `SELECT event ->> 'request_id' AS id FROM domain_events
        WHERE kind = 'audit.recorded' AND event ->> 'request_id' = ANY ($1)`,
      [calls.map(({ id }) => id)],
    );
    const ids = new Set(found.map(({ id }) => id));
    return calls.filter(({ id }) => !ids.has(id));
  }

  /** Calls an operation until the service is gone. @param answered gets the calls that were answered */
  async function callUntilGone(
    answered: Answered[],
    send: (id: string) => ReturnType<typeof call>,
  ): Promise<void> {
    for (;;) {
      const id = randomUUID();
      const response = await send(id).catch(() => null);
      if (response === null) return;
      answered.push({ id, status: response.status, at: awakeMs() });
    }
  }

  it('loses no row of a change, and of refused calls those of the last moment at most', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const service = ServiceProcess.start({
        DATABASE_URL: database.url,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        APP_ROLE: 'api',
        DATA_DIR: join(folder, String(round)),
        READ_CALLS_PER_MINUTE: '0',
      });
      const url = await service.ready;
      const send = ({ key, orgId }: TestCaller, method: string, below: string, name: string, id: string) =>
        call({ url }, method, `/api/organizations/${orgId}${below}`, {
          key,
          body: { name },
          headers: { 'X-Request-Id': id },
        });
      const owners = await Promise.all(
        Array.from({ length: CALLERS }, async () => makeCaller(db, (await makeOrg(db)).id, 'owner')),
      );
      const members = await Promise.all(owners.map(({ orgId }) => makeCaller(db, orgId)));
      // Each name is the id of the call that gives it.
      const changed: Answered[] = [];
      const refused: Answered[] = [];
      const calls = [
        ...owners.map((owner) => callUntilGone(changed, (id) => send(owner, 'PATCH', '', id, id))),
        ...members.map((member) => callUntilGone(refused, (id) => send(member, 'POST', '/roles', 'x', id))),
      ];
      await eventually(() =>
        expect([changed, refused].map(({ length }) => length > 5 * CALLERS)).toEqual([true, true]),
      );
      await sleep(round * 37);
      const killedAt = awakeMs();
      await service.discard();
      await Promise.all(calls);
      expect(changed.filter(({ status }) => status !== 200)).toEqual([]);
      expect(refused.filter(({ status }) => status !== 403)).toEqual([]);

      expect(await withoutRow(changed)).toEqual([]);
      // Also of those that were made, and whose caller never heard of it.
      const names = await db.query<{ name: string }[]>('SELECT name FROM organizations WHERE id = ANY ($1)', [
        owners.map(({ orgId }) => orgId),
      ]);
      expect(await withoutRow(names.map(({ name }) => ({ id: name, status: 200, at: killedAt })))).toEqual(
        [],
      );
      const lost = await withoutRow(refused);
      const bound = timeBound(LOST_MS);
      expect(lost.filter(({ at }) => killedAt - at > bound)).toEqual([]);
    }
  });
});
