import { newId } from '../../../src/kernel/common';
import type { Caller } from '../../../src/kernel/auth';
import type {
  MessageMode,
  MessageState,
} from '../../../src/conversations/pending-messages/record/message.enums';
import { AgentServerDouble, type DoubleOptions } from '../agent-server/agent-server-double';
import { makeCaller, makeOrg } from '../service/factories';
import { createTestDatabase, type TestDatabase } from '../database/postgres';
import { callerOf, PlannedSandboxes, QueueReplica, type QueueReplicaOptions } from './queue-replica';

/** A message as the list of a queue returns it. */
export interface ListedMessage {
  readonly id: string;
  readonly state: MessageState;
  readonly mode: MessageMode;
  readonly position: number | null;
  readonly content: readonly { readonly text?: string }[];
  readonly attempts: number;
  readonly last_error: string | null;
  readonly delivered_at: string | null;
}

/** A conversation of the fixture's caller. */
export interface TestConversation {
  readonly id: string;
  readonly taskId: string;
  readonly sandboxId: string;
}

export const textContent = (text: string): string => JSON.stringify([{ type: 'text', text }]);

const ALL: readonly MessageState[] = ['queued', 'delivering', 'delivered', 'failed', 'cancelled'];

/** The message queue, an agent server double and a user who sends messages. */
export class QueueFixture {
  private constructor(
    readonly database: TestDatabase,
    readonly double: AgentServerDouble,
    readonly sandboxes: PlannedSandboxes,
    readonly replica: QueueReplica,
    readonly caller: Caller,
    readonly orgId: string,
  ) {}

  /**
   * @param llm the model that agents chat with; without one they echo
   * @param onStep called at each fault point of a delivery
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    llm: DoubleOptions['llm'] = {},
    onStep?: QueueReplicaOptions['onStep'],
  ): Promise<QueueFixture> {
    const database = await createTestDatabase();
    const double = await AgentServerDouble.start({ llm });
    const sandboxes = new PlannedSandboxes(double.target);
    const replica = await QueueReplica.start({
      databaseUrl: database.url,
      sandboxes,
      env,
      ...(onStep && { onStep }),
    });
    const org = await makeOrg(replica.db);
    const member = await makeCaller(replica.db, org.id);
    return new QueueFixture(database, double, sandboxes, replica, callerOf(member.userId, org.id), org.id);
  }

  async stop(): Promise<void> {
    await this.replica.stop();
    await this.double.stop();
    await this.database.drop();
  }

  /** A conversation that is still starting: the agent server has it, but it is not READY. */
  async starting(
    initial: { content: string; run: boolean } | null = null,
    id: string = newId(),
    userId: string = this.caller.userId,
  ): Promise<TestConversation> {
    const conversation = { id, taskId: newId(), sandboxId: newId() };
    this.double.addConversation(id);
    await this.replica.inTransaction(async (transaction) => {
      await transaction.query(
        `INSERT INTO conversations (id, org_id, created_by_user_id, sandbox_id, start_state)
         VALUES ($1, $2, $3, $4, 'starting')`,
        [id, this.orgId, userId, conversation.sandboxId],
      );
      await transaction.query(
        `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request, deadline_at)
         VALUES ($1, $2, $3, $4, $5, 'WORKING', '{}', now() + interval '1 hour')`,
        [conversation.taskId, this.orgId, userId, id, conversation.sandboxId],
      );
      await this.replica.queue.open(
        transaction,
        { conversationId: id, taskId: conversation.taskId, orgId: this.orgId, userId },
        initial,
      );
    });
    return conversation;
  }

  /** Makes a conversation ready. */
  async getReady({ id }: TestConversation): Promise<void> {
    await this.replica.inTransaction(async (transaction) => {
      await transaction.query(`UPDATE conversations SET start_state = 'ready' WHERE id = $1`, [id]);
      await this.replica.queue.resume(transaction, id);
    });
  }

  async ready(): Promise<TestConversation> {
    const conversation = await this.starting();
    await this.getReady(conversation);
    return conversation;
  }

  /** Queues a text. @returns the id of the message */
  async add(conversationId: string, text: string, mode: MessageMode = 'steer'): Promise<string> {
    return (await this.replica.messages.add(this.caller, conversationId, textContent(text), mode)).id;
  }

  async list(
    conversationId: string,
    states: readonly MessageState[] = ALL,
  ): Promise<readonly ListedMessage[]> {
    const response = await this.replica.messages.list(this.caller, conversationId, states);
    if (typeof response !== 'string') throw new Error('The queue is too large to be read at once.');
    return (JSON.parse(response) as { items: ListedMessage[] }).items;
  }

  async message(conversationId: string, id: string): Promise<ListedMessage> {
    const found = (await this.list(conversationId)).find((message) => message.id === id);
    if (!found) throw new Error(`The queue has no message ${id}.`);
    return found;
  }

  /** The texts that the agent server has received, in order. */
  arrived(conversationId: string): string[] {
    return this.double.messages(conversationId).map(({ text }) => text);
  }
}
