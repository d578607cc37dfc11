import { Injectable, Module, Scope, type Type } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { runCommand } from '../../../src/operations/cli/command-line';
import { newId } from '../../../src/kernel/common';
import {
  type DomainEventOf,
  DomainEvents,
  type DomainEventPattern,
  isOfService,
  OnDomainEvent,
} from '../../../src/kernel/domain-events';
import { JobQueue } from '../../../src/kernel/jobs';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';
import { call } from '../../support/service/http';

type SettingsUpdated = DomainEventOf<'settings.updated'>;

/** As an extension has it. */
@Injectable()
class SettingsListener {
  refuses = false;
  failures = 0;
  readonly audited: string[] = [];

  @OnDomainEvent('settings.updated')
  async note({ fields }: SettingsUpdated, transaction: EntityManager): Promise<void> {
    await transaction.query('INSERT INTO noted_settings (fields) VALUES ($1)', [fields.join()]);
    if (this.refuses) throw new Error('The listener refuses.');
  }

  @OnDomainEvent(['settings.*', 'member.removed'], { after: 'commit', name: 'test-audit' })
  audit(event: SettingsUpdated | DomainEventOf<'member.removed'>): Promise<void> {
    if (this.failures > 0) {
      this.failures--;
      return Promise.reject(new Error('The audit is away.'));
    }
    this.audited.push(event.kind === 'settings.updated' ? event.fields.join() : event.user_id);
    return Promise.resolve();
  }
}

@Module({ providers: [SettingsListener, { provide: 'ALIAS', useExisting: SettingsListener }] })
class SettingsListenerModule {}

interface StoredJob {
  readonly id: string;
  readonly name: string;
  readonly attempts: number;
}

const jobsOf = (db: DataSource): Promise<StoredJob[]> =>
  db.query<StoredJob[]>(
    `SELECT id, task_identifier AS name, attempts FROM graphile_worker.jobs WHERE task_identifier = 'test-audit'`,
  );

describe('a listener of domain events', () => {
  let service: TestApp;
  let listener: SettingsListener;
  let events: DomainEvents;

  beforeAll(async () => {
    service = await startTestApp({ extensions: [SettingsListenerModule] });
    await service.db.query('CREATE TABLE noted_settings (fields text)');
    listener = service.app.get(SettingsListener);
    events = service.app.get(DomainEvents);
  });

  afterAll(() => service.close());

  afterEach(async () => {
    Object.assign(listener, { refuses: false, failures: 0 });
    listener.audited.length = 0;
    await service.db.query('DELETE FROM noted_settings');
  });

  const changed = (...fields: string[]): SettingsUpdated => ({
    kind: 'settings.updated',
    org_id: newId(),
    user_id: null,
    fields,
  });
  const noted = () => service.db.query<unknown[]>('SELECT fields FROM noted_settings');
  const retryNow = (id: string) =>
    service.db.query('SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], run_at => now())', [id]);
  /** Until there are none: a job that is at work cannot be removed. */
  const removeJobs = () =>
    eventually(async () => {
      await service.db.query(
        `SELECT graphile_worker.complete_jobs(
           ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'test-audit'))`,
      );
      expect(await jobsOf(service.db)).toEqual([]);
    });
  const failedJobs = async (): Promise<unknown> => {
    const env = { DATABASE_URL: service.database.url, SECRET_KEY: 'a-secret-key-of-tests-0123456789' };
    return (JSON.parse(await runCommand(['subscribers:failed'], env)) as { items: unknown }).items;
  };

  it('in the transaction writes with the change, and takes it back when it fails', async () => {
    const owner = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    const save = (value: boolean) =>
      call<{ enable_proactive_conversation_starters: boolean }>(service, 'POST', '/api/organizations/app', {
        key: owner.key,
        body: { enable_proactive_conversation_starters: value },
      });
    expect((await save(false)).status).toBe(200);
    expect(await noted()).toEqual([{ fields: 'enable_proactive_conversation_starters' }]);
    listener.refuses = true;
    expect((await save(true)).status).toBe(500);
    const { body } = await call(service, 'GET', '/api/organizations/app', { key: owner.key });
    expect(body).toMatchObject({ enable_proactive_conversation_starters: false });
    expect(await noted()).toHaveLength(1);
    await eventually(async () => expect(await jobsOf(service.db)).toEqual([]));
  });

  it('after the commit has a job just when the change was committed', async () => {
    await service.db.transaction(async (transaction) => {
      await events.publish(transaction, changed('kept'));
      expect(listener.audited).not.toContain('kept');
    });
    const rolledBack = service.db.transaction(async (transaction) => {
      await events.publish(transaction, changed('lost'));
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await eventually(() => expect(listener.audited).toContain('kept'));
    await eventually(async () => expect(await jobsOf(service.db)).toEqual([]));
    expect(listener.audited).not.toContain('lost');
  });

  it('after the commit hears what belongs to no organization, which no organization has in its log', async () => {
    const event = { ...changed('own'), org_id: null, user_id: newId() };
    await service.db.transaction((transaction) => events.publish(transaction, event));
    await eventually(() => expect(listener.audited).toEqual(['own']));
    const logged = await service.db.query<{ org_id: string }[]>(
      `SELECT org_id FROM domain_events WHERE event ->> 'user_id' = $1`,
      [event.user_id],
    );
    expect(logged).toEqual([{ org_id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }]);
  });

  it('after the commit is called again after a failure, which metrics and the command line tell', async () => {
    listener.failures = Infinity;
    await service.db.transaction((transaction) => events.publish(transaction, changed('retried')));
    let attempts = 0;
    for (const least of [1, 2]) {
      const [job] = await eventually(async () => {
        const found = (await failedJobs()) as { id: string; attempts: number }[];
        expect(found).toEqual([
          {
            id: expect.any(String) as string,
            listener: 'test-audit',
            kind: 'settings.updated',
            state: 'retrying',
            attempts: expect.any(Number) as number,
            max_attempts: 25,
            last_error: 'The audit is away.',
            since: expect.any(String) as string,
            next_attempt_at: expect.any(String) as string,
          },
        ]);
        expect(found[0]?.attempts).toBeGreaterThanOrEqual(least);
        return found;
      });
      ({ attempts } = job!);
      if (least === 2) listener.failures = 0;
      await retryNow(job!.id);
    }
    await eventually(() => expect(listener.audited).toEqual(['retried']));
    await eventually(async () => expect(await failedJobs()).toEqual([]));
    const { body } = await call<string>(service, 'GET', '/metrics');
    const failures =
      /domain_event_listener_failures_total\{listener="test-audit",kind="settings.updated"\} (\d+)/;
    // An attempt is listed when it begins: the last one may have been the one that worked, and others may have failed since.
    expect(Number(failures.exec(body)?.[1])).toBeGreaterThanOrEqual(attempts - 1);
  });

  it('after the commit is listed as dead once it is not tried any more', async () => {
    listener.failures = 1;
    const payload = changed('given up');
    await service.app.get(JobQueue).add(service.db.manager, { name: 'test-audit', payload, maxAttempts: 1 });
    await eventually(async () =>
      expect(await failedJobs()).toMatchObject([{ state: 'dead', attempts: 1, next_attempt_at: null }]),
    );
    await removeJobs();
  });

  it('counts a stored event that it cannot read as a failure', async () => {
    const payload = { kind: 'settings.updated', fields: 'not a list' };
    await service.app.get(JobQueue).add(service.db.manager, { name: 'test-audit', payload, maxAttempts: 1 });
    await eventually(async () => {
      const { body } = await call<string>(service, 'GET', '/metrics');
      expect(body).toContain('domain_event_listener_failures_total{listener="test-audit",kind="unknown"} 1');
    });
    await removeJobs();
  });

  it('takes no event that it does not listen to any more', async () => {
    const job = {
      name: 'test-audit',
      payload: { kind: 'member.added', org_id: newId(), user_id: newId(), role: 'owner' },
    };
    await service.app.get(JobQueue).add(service.db.manager, job);
    await eventually(async () => expect(await jobsOf(service.db)).toEqual([]));
    expect(listener.audited).toEqual([]);
  });

  it('receives what the command line publishes, in the running service', async () => {
    const email = 'by-command@example.com';
    const env = { DATABASE_URL: service.database.url, SECRET_KEY: 'a-secret-key-of-tests-0123456789' };
    const received: string[] = [];
    events.register(
      ['api_key.created'],
      (event) => {
        if (event.kind === 'api_key.created' && isOfService(event)) received.push(event.user_id);
        return Promise.resolve();
      },
      null,
    );
    const made = JSON.parse(
      await runCommand(['org:create', '--name', 'Ours', '--owner-email', email], env),
    ) as { user_id: string };
    await eventually(() => expect(received).toEqual([made.user_id]));
  });

  it('cannot be published outside the transaction of the change', async () => {
    await expect(events.publish(service.db.manager, changed('x'))).rejects.toThrow(
      'settings.updated must be published inside the transaction of the change.',
    );
  });
});

describe('a kind that nobody listens to', () => {
  it('costs the statement that logs it, and leaves no job', async () => {
    const service = await startTestApp({ env: { APP_ROLE: 'api' } });
    const events = service.app.get(DomainEvents);
    const count = async () =>
      (await service.db.query<[{ count: string }]>('SELECT count(*) FROM graphile_worker.jobs'))[0].count;
    const before = await count();
    await service.db.transaction(async (transaction) => {
      const query = jest.spyOn(transaction, 'query');
      await events.publish(transaction, {
        kind: 'conversation.deleted',
        org_id: newId(),
        conversation_id: newId(),
      });
      expect(query.mock.calls.length).toBe(1);
    });
    const owner = await makeCaller(service.db, (await makeOrg(service.db)).id, 'owner');
    await call(service, 'POST', '/api/keys', { key: owner.key, body: { name: 'A key' } });
    expect(await count()).toBe(before);
    await service.close();
  });
});

describe('the start', () => {
  /** A service with these listeners, whose start is all that matters. */
  async function startWith(...listeners: Type[]): Promise<void> {
    @Module({ providers: listeners })
    class Listeners {}
    const service = await startTestApp({ env: { APP_ROLE: 'api' }, extensions: [Listeners] });
    await service.close();
  }

  it('is refused for a listener of an unknown kind', async () => {
    const unknown = 'sandbox.exploded' as DomainEventPattern;
    class Unknown {
      @OnDomainEvent(unknown)
      hear(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Unknown)).rejects.toThrow(
      'A listener names sandbox.exploded, which is no kind of domain event.',
    );
  });

  it('is refused for two listeners of one name', async () => {
    class Twins {
      @OnDomainEvent('sandbox.*', { after: 'commit', name: 'twin' })
      one(): Promise<void> {
        return Promise.resolve();
      }

      @OnDomainEvent('*', { after: 'commit', name: 'twin' })
      other(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Twins)).rejects.toThrow(
      'Jobs named twin have two handlers, of Twins.one and of Twins.other: give one a name of its own.',
    );
  });

  it('is refused for a listener that is made anew for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      @OnDomainEvent('*')
      hear(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Scoped)).rejects.toThrow(
      'Scoped listens to domain events and must not be request-scoped',
    );
  });
});
