import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Injectable, Logger, Module } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { z } from 'zod';
import { newKey } from '../../../src/accounts/api-keys/keys/key-format';
import { type DomainEventOf, OnDomainEvent } from '../../../src/kernel/domain-events';
import { JobHandlers } from '../../../src/kernel/jobs';
import { runCommand } from '../../../src/operations/cli/command-line';
import { examineInstallation } from '../../../src/operations/doctor';
import type { Extension } from '../../../src/operations/extensions';
import { eventually, ServiceUnderTest } from '../../../src/operations/testing';
import { MachinesModule } from '../../support/agent-server/machines';
import { ask } from '../../support/database/ask';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';

class Notes1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE acme_notes (text text NOT NULL)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE acme_notes');
  }
}

/** Notes members who join, and what jobs bring. */
@Injectable()
class Notes {
  constructor(
    handlers: JobHandlers,
    private readonly database: DataSource,
  ) {
    handlers.register('acme-note', z.object({ text: z.string() }), ({ text }) => this.add(text));
  }

  @OnDomainEvent('member.added', { after: 'commit', name: 'joined-acme' })
  note({ user_id }: DomainEventOf<'member.added'>): Promise<void> {
    return this.add(user_id);
  }

  private async add(text: string): Promise<void> {
    await this.database.query('INSERT INTO acme_notes VALUES ($1)', [text]);
  }
}

@Module({ providers: [Notes], imports: [MachinesModule] })
class NotesModule {}

const acme: Extension = {
  name: 'acme',
  modules: [NotesModule],
  permissions: { 'acme:read': 'member' },
  migrations: [Notes1764000000000],
  sandboxDrivers: ['machines'],
};

const LEFT =
  'What belongs to no extension that is loaded waits in the database: 2 jobs named acme-note, 2 sandboxes of the driver machines, the table acme_migrations.';

describe('an extension that is removed, and returns', () => {
  let database: TestDatabase;
  let service: ServiceUnderTest | undefined;
  let env: Record<string, string>;
  const warned = jest.spyOn(Logger.prototype, 'warn');
  beforeAll(async () => {
    database = await createTestDatabase();
    env = {
      ...{
        DATABASE_URL: database.url,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        BOOTSTRAP_KEY: newKey(),
      },
      WEB_UI: 'off',
      LOG_LEVEL: 'silent',
    };
  });
  beforeEach(() => warned.mockClear());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  afterAll(() => database.drop());

  const start = async (...extensions: Extension[]): Promise<ServiceUnderTest> =>
    (service = await ServiceUnderTest.start({ extensions, settings: env }));
  const notes = async () => (await ask(database.url, 'SELECT text FROM acme_notes')).map(({ text }) => text);
  const doctor = async (given: Extension[] = []) =>
    (await examineInstallation({ ...env, PORT: '0' }, given)).filter(({ check }) => check === 'leftovers');

  it('leaves what the start without it and the doctor name, and which hinders nobody', async () => {
    const { body } = await (await start(acme)).call('GET', '/api/v1/users/me');
    const { org_id, permissions } = body as Record<string, string>;
    expect(permissions).toContain('acme:read');
    await add('now');
    await eventually(async () => expect(await notes()).toContain('now'));
    await service?.stop();
    await add('an hour ago', '1 hour');
    await add('tomorrow', '-1 day');
    await ask(
      database.url,
      `INSERT INTO sandboxes (id, org_id, created_by_user_id, driver, status, last_activity_at)
       VALUES ('${randomUUID()}', '${org_id}', (SELECT id FROM users), 'machines', 'PAUSED', now())`,
    );
    await ask(
      database.url,
      `INSERT INTO sandbox_leftovers (sandbox_id, host_id, driver) VALUES ('${randomUUID()}', 'a-host', 'machines')`,
    );

    const without = await start();
    await eventually(() => {
      expect(warned).toHaveBeenCalledWith(LEFT);
      return Promise.resolve();
    });
    expect((await without.call('GET', '/ready')).status).toBe(200);
    const metrics = await (await fetch(`${without.url}/metrics`)).text();
    expect(Number(/^jobs_waiting_oldest_seconds (.+)$/m.exec(metrics)?.[1])).toBeLessThan(60);
    expect(await doctor()).toMatchObject([{ state: 'warn', says: LEFT }]);
    expect(await doctor([acme])).toMatchObject([{ state: 'ok' }]);
  });

  it('goes on where it stopped, when it returns before it is removed', async () => {
    await start(acme);
    await eventually(async () => expect(await notes()).toContain('an hour ago'));
  });

  it('is removed by its name where it cannot be loaded, but for its tables', async () => {
    const without = await start();
    const [table, driver] = ['acme_migrations', 'machines'];
    expect(await without.cli('extension:remove', 'other')).toMatchObject({
      jobs: [],
      sandboxes: [],
      migrations: [],
      notes: [],
      left: {
        jobs: [{ name: 'acme-note', jobs: 1 }],
        sandboxes: [{ driver, sandboxes: 2 }],
        tables: [table],
      },
    });
    expect(await without.cli('extension:remove', 'acme', '--tables', '--drivers', driver)).toEqual({
      jobs: [{ name: 'acme-note', jobs: 1 }],
      sandboxes: [{ driver, sandboxes: 2 }],
      migrations: [],
      left: { jobs: [], sandboxes: [], tables: [table] },
      notes: [
        'What the sandboxes of machines ran on was not deleted: look there for machines that are left.',
        'Its tables and acme_migrations were not dropped: EXTENSIONS has to name it, for its migrations to undo what they made.',
      ],
    });
    const { body } = await without.call('GET', '/api/v1/sandboxes/search');
    expect(body).toMatchObject({ items: [{ status: 'MISSING' }] });
    await expect(without.cli('extension:remove', 'acme', '--drivers', 'docker')).rejects.toThrow(
      'The sandbox driver docker is there, and no leftover.',
    );
    await expect(without.cli('extension:remove')).rejects.toThrow(
      'NAME is missing. Usage: extension:remove NAME [--tables] [--drivers …]',
    );
  });

  it('is removed with jobs of any name, and its tables, where it can be loaded', async () => {
    await add('left', '-1 day', 'joined-acme');
    const removed = await runCommand(
      ['extension:remove', 'acme', '--tables'],
      { ...env, DATA_DIR: tmpdir() },
      [acme],
    );
    expect(JSON.parse(removed)).toEqual({
      jobs: [{ name: 'joined-acme', jobs: 1 }],
      sandboxes: [],
      migrations: ['Notes1764000000000'],
      left: { jobs: [], sandboxes: [], tables: [] },
      notes: [],
    });
    const tables = `SELECT to_regclass('acme_notes') AS notes, to_regclass('acme_migrations') AS migrations`;
    expect(await ask(database.url, tables)).toEqual([{ notes: null, migrations: null }]);
    expect(await doctor()).toMatchObject([{ state: 'ok' }]);
  });

  it('begins anew when it returns', async () => {
    const again = await start(acme);
    const { body } = await again.call('GET', '/api/v1/users/me');
    const { org_id } = body as Record<string, string>;
    const member = ['--org', String(org_id), '--email', 'robin@example.com', '--role', 'member'];
    const { user_id } = (await again.cli('member:add', ...member)) as { user_id: string };
    await eventually(async () => expect(await notes()).toEqual([user_id]));
    expect(warned.mock.calls.flat().filter((text) => String(text).startsWith('What belongs'))).toEqual([]);
  });

  /** Adds a job as the extension does, which waits since some time. */
  async function add(text: string, since = '0', name = 'acme-note'): Promise<void> {
    await ask(
      database.url,
      `SELECT graphile_worker.add_job('${name}', '{"text":"${text}"}', run_at => now() - interval '${since}')`,
    );
  }
});
