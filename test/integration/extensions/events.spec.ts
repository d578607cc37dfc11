import { Injectable, Module } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import {
  defineExtension,
  type ExtensionEventOf,
  ExtensionEvents,
  OnDomainEvent,
  type RunningJob,
} from '../../../src';
import { eventually, ServiceUnderTest } from '../../../src/operations/testing';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres';
import { StreamReader } from '../../support/streams/stream-reader';
import { CallbackReceiver } from '../../support/webhooks/callback-receiver';

const budgetSpent = z
  .object({
    department: z.string().meta({ description: 'Whose budget.', examples: ['tools'] }),
    dollars: z.number().meta({ description: 'What was spent.', examples: [120] }),
  })
  .describe('The budget of a department is spent.');

type BudgetSpent = ExtensionEventOf<typeof budgetSpent>;

/** Of another extension: it refuses what is spent for nothing. */
@Injectable()
class Ledger {
  readonly inTransaction: BudgetSpent[] = [];
  readonly afterCommit: BudgetSpent[] = [];

  @OnDomainEvent('acme.budget_spent')
  check(event: BudgetSpent, transaction: EntityManager): Promise<void> {
    expect(transaction.queryRunner?.isTransactionActive).toBe(true);
    if (event.dollars === 0) return Promise.reject(new Error('nothing was spent'));
    this.inTransaction.push(event);
    return Promise.resolve();
  }

  @OnDomainEvent('acme.*', { after: 'commit', name: 'ledger-entry' })
  enter(event: BudgetSpent, { signal }: RunningJob): Promise<void> {
    signal.throwIfAborted();
    this.afterCommit.push(event);
    return Promise.resolve();
  }
}

@Module({ providers: [Ledger] })
class LedgerModule {}

const acme = defineExtension({ name: 'acme', events: { 'acme.budget_spent': budgetSpent } });
const ledger = defineExtension({ name: 'ledger', modules: [LedgerModule] });

describe('events of an extension', () => {
  let database: TestDatabase;
  let receiver: CallbackReceiver;
  let service: ServiceUnderTest;
  let key: string | undefined;
  let orgId: string;
  let secret: string;

  const start = (extensions: (typeof acme)[]): Promise<ServiceUnderTest> =>
    ServiceUnderTest.start({
      extensions,
      settings: {
        DATABASE_URL: database.url,
        SECRET_KEY: 'a-secret-key-of-tests-0123456789',
        WEBHOOK_ALLOWED_HOSTS: receiver.host,
        WEB_UI: 'off',
        LOG_LEVEL: 'silent',
        ...(key !== undefined && { BOOTSTRAP_KEY: key }),
      },
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    receiver = await CallbackReceiver.start();
    service = await start([acme, ledger]);
    ({ key } = service);
    ({ org_id: orgId } = (await service.call('GET', '/api/v1/users/me')).body as { org_id: string });
    // The member that the start made is no news for a webhook of later.
    await service.happened(orgId, 'member.added');
    const body = { url: receiver.url('/hook'), kinds: ['acme.budget_spent', 'member.added'] };
    const made = await service.call('POST', `/api/organizations/${orgId}/webhooks`, { body });
    ({ secret } = made.body as { secret: string });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await database.drop();
  });

  const stream = (query: string): Promise<StreamReader> =>
    StreamReader.open(`${service.url}/api/organizations/${orgId}/events/stream?${query}`, {
      key: service.key,
    });

  const publish = (fields: object, end?: Error): Promise<void> =>
    service.get(DataSource).transaction(async (transaction) => {
      await service
        .get(ExtensionEvents)
        .publish(transaction, 'acme.budget_spent', orgId, { department: 'tools', ...fields });
      if (end !== undefined) throw end;
    });

  it('reach listeners, the stream and webhooks when their transaction commits, and nobody when not', async () => {
    const opened = await stream('after=0&type=acme.budget_spent');
    await expect(publish({ dollars: 1 }, new Error('rolled back'))).rejects.toThrow('rolled back');
    await expect(publish({ dollars: 0 })).rejects.toThrow('nothing was spent');
    await publish({ dollars: 120 });
    const data = { org_id: orgId, department: 'tools', dollars: 120 };
    const event = { kind: 'acme.budget_spent', ...data };
    expect(await service.happened(orgId, 'acme.budget_spent')).toEqual(event);
    await opened.until(1);
    expect(opened.messages).toEqual([
      { type: 'acme.budget_spent', timestamp: expect.stringMatching(/Z$/) as string, data },
    ]);
    expect(Number(opened.lastId)).toBeGreaterThan(0);
    opened.close();
    const { inTransaction, afterCommit } = service.get(Ledger);
    expect(inTransaction.map(({ dollars }) => dollars)).toEqual([1, 120]);
    await eventually(() => {
      expect(afterCommit).toEqual([event]);
      return Promise.resolve();
    });
    const [callback] = await eventually(() => {
      expect(receiver.received).toHaveLength(1);
      return Promise.resolve(receiver.received);
    });
    expect(new Webhook(secret).verify(callback!.body, callback!.headers as Record<string, string>)).toEqual({
      type: 'acme.budget_spent',
      timestamp: expect.any(String) as string,
      data,
    });
  });

  it('are refused when they do not fit their schema, with the kind and the field', async () => {
    await expect(publish({ dollars: 'many' })).rejects.toThrow(
      'The event acme.budget_spent does not fit its schema: dollars: Invalid input',
    );
    await expect(service.publish('acme.budget_lost', orgId, {})).rejects.toThrow(
      'No extension has events of the kind acme.budget_lost.',
    );
  });

  it('are in the document, among the callbacks and the types of the stream', async () => {
    const document = JSON.stringify((await service.call('GET', '/openapi.json')).body);
    const { webhooks, components } = JSON.parse(document) as {
      readonly webhooks: Record<string, { readonly post: object }>;
      readonly components: { readonly schemas: Record<string, object> };
    };
    expect(webhooks['acme.budget_spent']?.post).toMatchObject({
      operationId: 'onAcmeBudgetSpent',
      description: expect.stringMatching(/^The budget of a department is spent\./) as string,
    });
    expect(components.schemas.AcmeBudgetSpentCallback).toMatchObject({
      properties: {
        data: { properties: { department: { type: 'string', description: 'Whose budget.' } } },
      },
    });
    const enums = document.match(/"enum":\["conversation\.created"[^\]]*\]/g) ?? [];
    expect(enums.map((list) => list.includes('"acme.budget_spent"'))).toEqual([true]);
  });

  it('are passed over when their extension is gone, and those that follow are not', async () => {
    await service.publish('acme.budget_spent', orgId, { department: 'tools', dollars: 7 });
    await service.happened(orgId, 'acme.budget_spent', { dollars: 7 });
    await eventually(() => {
      expect(receiver.received).toHaveLength(2);
      return Promise.resolve();
    });
    await service.stop();
    service = await start([]);
    // As one that was stored, and not numbered yet.
    await service.get(DataSource).query(
      `INSERT INTO domain_events (org_id, kind, event)
       SELECT org_id, kind, event FROM domain_events WHERE kind = 'acme.budget_spent' LIMIT 1`,
    );
    const userId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    await service.publish({ kind: 'member.added', org_id: orgId, user_id: userId, role: 'member' });
    const opened = await stream('after=0');
    await eventually(() => {
      expect(opened.messages.at(-1)).toMatchObject({ type: 'member.added', data: { user_id: userId } });
      expect(receiver.received.at(-1)?.payload).toMatchObject({
        type: 'member.added',
        data: { user_id: userId },
      });
      return Promise.resolve();
    });
    opened.close();
    expect(JSON.stringify(opened.messages)).not.toContain('acme');
    expect(receiver.received).toHaveLength(3);
    const [left] = await service
      .get(DataSource)
      .query<{ n: number }[]>('SELECT count(*)::int AS n FROM domain_events WHERE position IS NULL');
    expect(left?.n).toBe(0);
    const refused = await service.call(
      'GET',
      `/api/organizations/${orgId}/events/stream?type=acme.budget_spent`,
    );
    expect(refused.status).toBe(422);
  });
});
