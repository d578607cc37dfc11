import { newId } from '../../../src/kernel/common';
import { DomainEvents } from '../../../src/kernel/domain-events';
import { InboundService } from '../../../src/conversations/events/inbound/inbound.service';
import { DeliveryRuns } from '../../../src/conversations/pending-messages/delivery/delivery-runs';
import { MessageEnqueuer } from '../../../src/conversations/pending-messages/queue/message-enqueuer';
import { statementsOf } from '../../support/database/statements-of';
import { startTestApp, type TestApp } from '../../support/service/app';
import { makeCaller, makeOrg } from '../../support/service/factories';

describe('a change that is made by as few statements as it can be', () => {
  let service: TestApp;
  let userId: string;
  let orgId: string;
  const conversationId = newId();
  const sandboxId = newId();

  beforeAll(async () => {
    service = await startTestApp({ env: { APP_ROLE: 'api' } });
    jest.spyOn(service.app.get(DeliveryRuns), 'begin').mockResolvedValue();
    orgId = (await makeOrg(service.db)).id;
    ({ userId } = await makeCaller(service.db, orgId));
    await service.db.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
       VALUES ($1, $2, $3, $4, 'ready')`,
      [conversationId, orgId, userId, sandboxId],
    );
    await service.db.query('INSERT INTO message_queues (id, user_id, conversation_id) VALUES ($1, $2, $3)', [
      newId(),
      userId,
      conversationId,
    ]);
  });

  afterAll(() => service.close());

  const changes: readonly (readonly ['message.queued' | 'event.received', () => Promise<unknown>])[] = [
    [
      'message.queued',
      () =>
        service.app.get(MessageEnqueuer).addAndDeliver(userId, conversationId, {
          content: '[{"type":"text","text":"hello"}]',
          mode: 'steer',
        }),
    ],
    [
      'event.received',
      () =>
        service.app
          .get(InboundService)
          .takeEvents(
            { sandboxId, orgId, createdByUserId: userId },
            conversationId,
            `[{"id":"${newId()}","kind":"PauseEvent","timestamp":"2026-11-21T09:30:00"}]`,
          ),
    ],
  ];

  it('takes a transaction for a report of the status, whose changes are listened to, and one statement for all others', async () => {
    const report =
      (fields: object): (() => Promise<void>) =>
      () =>
        service.app
          .get(InboundService)
          .takeEvents(
            { sandboxId, orgId, createdByUserId: userId },
            conversationId,
            JSON.stringify([{ id: newId(), timestamp: '2026-11-21T09:30:00', ...fields }]),
          );
    const ofStatus = { kind: 'ConversationStateUpdateEvent', key: 'execution_status', value: 'running' };
    const counts = async (): Promise<number[]> => [
      await statementsOf(report({ kind: 'PauseEvent' })),
      await statementsOf(report(ofStatus)),
    ];
    await counts();
    const [plain, status] = await counts();
    const listensTo = jest.spyOn(service.app.get(DomainEvents), 'listensTo').mockReturnValue(false);
    const alone = await counts();
    listensTo.mockRestore();
    expect(alone).toEqual([1, 1]);
    expect(plain).toBe(1);
    expect(status).toBeGreaterThan(1);
  });

  it.each(changes)(
    'takes no statement of its own for logging %s while nobody listens in its transaction',
    async (kind, change) => {
      const events = service.app.get(DomainEvents);
      await change(); // what only the first one does
      const withoutListener = await statementsOf(change);
      expect(withoutListener).toBe(1);
      events.register([kind], () => Promise.resolve(), { after: 'commit', name: `test-${kind}` });
      expect(await statementsOf(change)).toBe(withoutListener);
      events.register([kind], () => Promise.resolve(), null);
      expect(await statementsOf(change)).toBeGreaterThan(withoutListener);
    },
  );
});
