import { randomUUID } from 'node:crypto';
import { START_TASK_STATUSES } from '../../../src/conversations/conversations/start-tasks/start-task-status';
import type { StartTask } from '../../support/service/conversation-service';
import { eventually } from '../../support/eventually';
import { QueueCalls } from '../../support/queue/queued-messages';
import { runNow } from '../../support/service/recurring-jobs';

const OPEN = START_TASK_STATUSES.filter((status) => status !== 'READY' && status !== 'ERROR');

/** Starts that lost their job, or wait for what never comes, are found by a periodic job. */
describe('a start that nobody works on any more', () => {
  let queues: QueueCalls;

  beforeAll(async () => (queues = await QueueCalls.start()));
  afterAll(() => queues.close());

  /** A start in some status, without a job. @returns ids of its task and conversation */
  async function abandoned(status: string, at: { deadline: string; touched: string }) {
    const { service, double } = queues.doubled;
    const { orgId, userId } = service.owner;
    const conversation = await queues.doubled.conversation({ start_state: 'starting' });
    await fetch(`${double.url}/api/conversations/${conversation.id}`, {
      method: 'DELETE',
      headers: { 'X-Session-API-Key': double.target.apiKey },
    });
    const taskId = randomUUID();
    await service.app.db.query(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request,
                                deadline_at)
       VALUES ($1, $2, $3, $4, $5, $6, '{"pr_number": [], "agent_type": "default"}', now() + interval '1 hour')`,
      [taskId, orgId, userId, conversation.id, conversation.sandboxId, status],
    );
    await queues.queued(conversation.id, ['waits']);
    await service.app.db.query(
      `UPDATE start_tasks SET deadline_at = now() + $2::interval, updated_at = now() + $3::interval WHERE id = $1`,
      [taskId, at.deadline, at.touched],
    );
    return { taskId, conversationId: conversation.id };
  }

  async function lookForOverdue(): Promise<void> {
    await runNow(queues.doubled.service.app.db, 'overdue-starts');
  }

  async function ended(taskId: string): Promise<StartTask | undefined> {
    return queues.doubled.service.ended(taskId);
  }

  it.each(OPEN)(
    'in %s ends in ERROR when its time is over, and what was queued for it fails',
    async (status) => {
      const { taskId, conversationId } = await abandoned(status, {
        deadline: '-1 second',
        touched: '-1 second',
      });
      await lookForOverdue();
      expect(await ended(taskId)).toMatchObject({ status: 'ERROR', detail: 'The start took too long.' });
      expect(await queues.list(conversationId)).toEqual([
        expect.objectContaining({
          state: 'failed',
          last_error: 'The conversation did not start: The start took too long.',
        }),
      ]);
    },
  );

  it.each(OPEN)('in %s is taken up again after a minute, and gets ready', async (status) => {
    const { taskId, conversationId } = await abandoned(status, {
      deadline: '1 hour',
      touched: '-61 seconds',
    });
    await lookForOverdue();
    expect(await ended(taskId)).toMatchObject({ status: 'READY' });
    await eventually(async () =>
      expect(await queues.texts(conversationId, '?state=delivered')).toEqual(['waits']),
    );
  });
});
