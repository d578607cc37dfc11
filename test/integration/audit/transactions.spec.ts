import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Module, Param, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Access } from '../../../src/kernel/auth';
import { AppError } from '../../../src/kernel/common';
import { Field, string } from '../../../src/kernel/validation';
import { eventually } from '../../support/eventually';
import { startTestApp, type TestApp } from '../../support/service/app';
import { auditRows, rowsOf } from '../../support/service/audit-rows';
import { makeCaller, makeOrg, type TestCaller } from '../../support/service/factories';
import { call } from '../../support/service/http';

class NotesPath {
  @Field(string(), { description: 'The organization.' })
  org_id!: string;
}

/** Operations of an extension, which change the name of an organization in different ways. */
@Access({ org: 'path', permission: 'edit_org_settings' })
@Controller('acme/:org_id')
class Operations {
  /** Ends when what goes on after a response has ended. */
  static later: Promise<void> = Promise.resolve();

  constructor(private readonly database: DataSource) {}

  @Post('retried')
  async renameAtSecondTry(@Param() { org_id }: NotesPath): Promise<object> {
    const first = this.rename(org_id, 'first', () => Promise.reject(new Error('again')));
    await first.catch(() => this.rename(org_id, 'second'));
    return {};
  }

  @Post('rolled-back')
  async failInTransaction(@Param() { org_id }: NotesPath): Promise<void> {
    await this.rename(org_id, 'rolled back', () => Promise.reject(new AppError(409, 'acme_conflict', 'No.')));
  }

  @Post('made')
  async failAfterCommit(@Param() { org_id }: NotesPath): Promise<void> {
    await this.rename(org_id, 'made');
    throw new AppError(409, 'acme_too_late', 'Too late.');
  }

  @Post('later')
  changeLater(@Param() { org_id }: NotesPath): object {
    Operations.later = sleep(200).then(() => this.rename(org_id, 'later'));
    return {};
  }

  @Post('slow')
  async changeSlowly(@Param() { org_id }: NotesPath): Promise<object> {
    await sleep(300);
    await this.rename(org_id, 'slow');
    return {};
  }

  @Post('read')
  async changeNothing(@Param() { org_id }: NotesPath): Promise<object> {
    await this.database.transaction((transaction) =>
      transaction.query('SELECT name FROM organizations WHERE id = $1', [org_id]),
    );
    return {};
  }

  private async rename(orgId: string, name: string, then = () => Promise.resolve()): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.query('UPDATE organizations SET name = $2 WHERE id = $1', [orgId, name]);
      await then();
    });
  }
}

@Module({ controllers: [Operations] })
class AcmeModule {}

let app: TestApp;
let owner: TestCaller;
beforeAll(async () => {
  app = await startTestApp({ env: { APP_ROLE: 'api' }, extensions: [AcmeModule] });
  owner = await makeCaller(app.db, (await makeOrg(app.db)).id, 'owner');
});
afterAll(() => app.close());

async function done(what: string): Promise<{ id: string; status: number }> {
  const id = randomUUID();
  const { status } = await call(app, 'POST', `/acme/${owner.orgId}/${what}`, {
    key: owner.key,
    headers: { 'X-Request-Id': id },
  });
  return { id, status };
}

async function nameOf(): Promise<string> {
  const [row] = await app.db.query<[{ name: string }]>('SELECT name FROM organizations WHERE id = $1', [
    owner.orgId,
  ]);
  return row.name;
}

it('a transaction that is done again has one row, with what was changed in the end', async () => {
  const { id } = await done('retried');
  expect(await rowsOf(app.db, id)).toMatchObject([
    {
      action: 'renameAtSecondTry',
      outcome: 'success',
      changes: [{ table: 'organizations', id: owner.orgId, after: { name: 'second' } }],
    },
  ]);
});

it('one that is rolled back takes its row along: the row says that the call failed', async () => {
  const { id, status } = await done('rolled-back');
  expect(status).toBe(409);
  expect(await rowsOf(app.db, id)).toMatchObject([
    { outcome: 'failed', code: 'acme_conflict', changes: null },
  ]);
  expect(await nameOf()).not.toBe('rolled back');
});

it('a change that was made, and whose caller is told otherwise, has a second row that says so', async () => {
  const { id } = await done('made');
  await eventually(async () => expect(await auditRows(app.db, id)).toHaveLength(2));
  expect(await auditRows(app.db, id)).toMatchObject([
    { outcome: 'success', changes: [{ after: { name: 'made' } }] },
    { outcome: 'failed', status: 409, code: 'acme_too_late', changes: null },
  ]);
});

it('a call that changes nothing has a row, after the response', async () => {
  const { id } = await done('read');
  expect(await rowsOf(app.db, id)).toMatchObject([
    { action: 'changeNothing', outcome: 'success', changes: null },
  ]);
});

it('what goes on after the response is no part of the call', async () => {
  const { id } = await done('later');
  const [row] = await rowsOf(app.db, id);
  expect(row?.changes).toBeNull();
  await Operations.later;
  expect(await nameOf()).toBe('later');
  expect(await auditRows(app.db, id)).toHaveLength(1);
});

it('the change for a caller who has gone has its row', async () => {
  const id = randomUUID();
  const headers = { 'X-Access-Token': owner.key, 'X-Request-Id': id };
  const asked = httpRequest(`${app.url}/acme/${owner.orgId}/slow`, { method: 'POST', headers });
  asked.on('error', () => undefined);
  asked.end();
  await sleep(100);
  asked.destroy();
  await eventually(async () => expect(await nameOf()).toBe('slow'));
  expect(await auditRows(app.db, id)).toMatchObject([
    { outcome: 'success', changes: [{ after: { name: 'slow' } }] },
  ]);
  await sleep(300);
  expect(await auditRows(app.db, id)).toHaveLength(1);
});

it('a change whose row cannot be written is not made', async () => {
  await app.db.query(
    `ALTER TABLE domain_events ADD CONSTRAINT no_rows CHECK (kind <> 'audit.recorded') NOT VALID`,
  );
  const { status } = await done('retried');
  await app.db.query('ALTER TABLE domain_events DROP CONSTRAINT no_rows');
  expect(status).toBe(500);
  expect(await nameOf()).not.toBe('second');
});

it('the answer to the same Idempotency-Key has a row of its own, without a change', async () => {
  const path = `/api/organizations/${owner.orgId}/scim-tokens`;
  const send = async () => {
    const id = randomUUID();
    await call(app, 'POST', path, {
      key: owner.key,
      headers: { 'X-Request-Id': id, 'Idempotency-Key': 'once' },
      body: { name: 'Entra ID' },
    });
    return rowsOf(app.db, id);
  };
  expect(await send()).toMatchObject([
    { code: null, changes: [{ table: 'scim_tokens', after: { name: 'Entra ID' } }] },
  ]);
  expect(await send()).toMatchObject([{ outcome: 'success', code: 'idempotency_replayed', changes: null }]);
});

it('without an audit log nothing is written', async () => {
  const env = { APP_ROLE: 'api', AUDIT_LOG: 'off' };
  const off = await startTestApp({ env, database: app.database });
  try {
    const before = (await auditRows(app.db)).length;
    const path = `/api/organizations/${owner.orgId}`;
    for (const key of [owner.key, 'sk-of-nobody'])
      await call(off, 'PATCH', path, { key, body: { name: 'Without' } });
    expect(await nameOf()).toBe('Without');
    await sleep(300);
    expect(await auditRows(app.db)).toHaveLength(before);
  } finally {
    await off.close();
  }
});

it('two replicas over one database write one row for each call', async () => {
  const other = await startTestApp({ env: { APP_ROLE: 'api' }, database: app.database });
  try {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const id = randomUUID();
        await call(n % 2 === 0 ? app : other, 'PATCH', `/api/organizations/${owner.orgId}`, {
          key: owner.key,
          headers: { 'X-Request-Id': id },
          body: { name: `Name ${n}` },
        });
        return id;
      }),
    );
    for (const id of ids) expect(await rowsOf(app.db, id)).toHaveLength(1);
  } finally {
    await other.close();
  }
});
