import { Injectable, Module, type Type } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../../src/kernel/common';
import {
  type AgentEventOf,
  DomainEventLog,
  type DomainEventPattern,
  OnDomainEvent,
} from '../../../src/kernel/domain-events';
import { InboundService } from '../../../src/conversations/events/inbound/inbound.service';
import { JobQueue } from '../../../src/kernel/jobs';
import { startTestApp, type TestApp } from '../../support/service/app';
import { eventually } from '../../support/eventually';
import { makeCaller, makeOrg } from '../../support/service/factories';

/** As an extension has it. */
@Injectable()
class AgentListener {
  readonly inTransaction: string[] = [];
  readonly afterCommit: string[] = [];

  @OnDomainEvent('event.received', { eventKinds: ['MessageEvent', 'AKindOfTomorrow'] })
  note(event: AgentEventOf<'MessageEvent' | 'AKindOfTomorrow'>, transaction: EntityManager): Promise<void> {
    expect(transaction.queryRunner?.isTransactionActive).toBe(true);
    // @ts-expect-error its kind is one of those that are heard
    expect(event.event_kind === 'PauseEvent').toBe(false);
    this.inTransaction.push(event.event_kind);
    return Promise.resolve();
  }

  @OnDomainEvent('event.received', { after: 'commit', name: 'test-agents', eventKinds: ['MessageEvent'] })
  hear({ event_kind }: AgentEventOf<'MessageEvent'>): Promise<void> {
    this.afterCommit.push(event_kind);
    return Promise.resolve();
  }
}

@Module({ providers: [AgentListener] })
class AgentListenerModule {}

describe('a listener of agents’ events by kind', () => {
  let service: TestApp;
  let listener: AgentListener;
  let orgId: string;
  let userId: string;
  const conversationId = newId();
  const sandboxId = newId();

  beforeAll(async () => {
    service = await startTestApp({ extensions: [AgentListenerModule] });
    listener = service.app.get(AgentListener);
    orgId = (await makeOrg(service.db)).id;
    ({ userId } = await makeCaller(service.db, orgId));
    await service.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
       VALUES ($1, $2, $3, $4, 'ready')`,
      [conversationId, orgId, userId, sandboxId],
    );
  });
  afterAll(() => service.close());
  afterEach(() => {
    listener.inTransaction.length = 0;
    listener.afterCommit.length = 0;
  });

  const jobs = () =>
    service.db.query<unknown[]>(`SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'test-agents'`);

  /** As an agent server posts them. */
  const receive = (...kinds: string[]) =>
    service.app
      .get(InboundService)
      .takeEvents(
        { sandboxId, orgId, createdByUserId: userId },
        conversationId,
        JSON.stringify(kinds.map((kind) => ({ id: newId(), kind, timestamp: '2026-11-21T09:30:00' }))),
      );

  it('is called with those kinds, in their order, and with no others', async () => {
    await receive('PauseEvent', 'MessageEvent', 'AKindOfTomorrow', 'ActionEvent', 'MessageEvent');
    expect(listener.inTransaction).toEqual(['MessageEvent', 'AKindOfTomorrow', 'MessageEvent']);
    await eventually(() => expect(listener.afterCommit).toEqual(['MessageEvent', 'MessageEvent']));
    await eventually(async () => expect(await jobs()).toEqual([]));
  });

  it('leaves events of other kinds as cheap as without listeners', async () => {
    const read = jest.spyOn(DomainEventLog.prototype, 'takeLogged');
    await receive('PauseEvent', 'ActionEvent');
    expect(read).not.toHaveBeenCalled();
    await receive('PauseEvent', 'AKindOfTomorrow');
    expect(read).toHaveBeenCalledTimes(1);
    expect(listener.inTransaction).toEqual(['AKindOfTomorrow']);
    await eventually(async () =>
      expect(await service.db.query('SELECT 1 FROM domain_events WHERE position IS NULL')).toEqual([]),
    );
    expect(await jobs()).toEqual([]);
    expect(listener.afterCommit).toEqual([]);
    read.mockRestore();
  });

  it('takes no job of a kind that it does not hear any more', async () => {
    const payload = {
      kind: 'event.received',
      org_id: orgId,
      conversation_id: conversationId,
      event_id: '1',
      event_kind: 'PauseEvent',
      occurred_at: '2026-11-21T09:30:00.000Z',
    };
    await service.app.get(JobQueue).add(service.db.manager, { name: 'test-agents', payload });
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(listener.afterCommit).toEqual([]);
  });
});

describe('the start', () => {
  async function startWith(listener: Type): Promise<void> {
    @Module({ providers: [listener] })
    class Listeners {}
    const service = await startTestApp({ env: { APP_ROLE: 'api' }, extensions: [Listeners] });
    await service.close();
  }

  it.each([
    ['no kinds', []],
    ['a kind that can be none', ['Message Event']],
    ['a pattern', ['*']],
  ])('is refused for a listener that names %s of agents’ events', async (_, kinds) => {
    class Malformed {
      @OnDomainEvent('event.received', { eventKinds: kinds as [string] })
      hear(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Malformed)).rejects.toThrow(
      `A listener names [${kinds.join(', ')}] as kinds of agents' events`,
    );
  });

  it('is refused for a listener that names kinds of agents’ events and hears other events', async () => {
    const patterns: readonly DomainEventPattern[] = ['event.*', 'message.queued'];
    class Wide {
      @OnDomainEvent(patterns as unknown as 'event.received', { eventKinds: ['MessageEvent'] })
      hear(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Wide)).rejects.toThrow('only one of event.received may');
  });
});
