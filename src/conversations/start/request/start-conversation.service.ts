import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller, OrgContext } from '../../../auth';
import { Clock, newId, parseUuid, SecretBox, storableJson, storableText } from '../../../common';
import { SETTINGS, type Settings } from '../../../config';
import { isUniqueViolation } from '../../../database';
import { DomainEvents } from '../../../domain-events';
import { JobQueue } from '../../../jobs';
import { SandboxLifecycle, SandboxReader } from '../../../sandboxes';
import { ConversationQueue, type InitialMessage } from '../../record/conversation-queue';
import {
  ConversationIdInUseError,
  ParentNotFoundError,
  RoleNotSupportedError,
  SandboxNotFoundError,
} from '../../record/conversations.errors';
import { databaseInteger } from '../../record/database-integer';
import type { AppConversationStartRequest, AppConversationStartTask } from '../tasks/start-conversation.dto';
import { startJob } from './start-job-name';
import { keptRequest } from './start-request';
import type { StartTaskRow } from '../tasks/start-task-store';
import { toStartTask } from '../tasks/start-task.mapper';

/** What preparing a repository may take beside the sandbox's own time. */
const WORK_SECONDS = 600;

/**
 * Takes a request to start a conversation; the work itself is a durable job (docs/contract.md#start-request).
 */
@Injectable()
export class StartConversationService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly queue: ConversationQueue,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * @param initialContent the JSON text of the initial message's content, as it came; null without one
   * @throws RoleNotSupportedError, SandboxNotFoundError, ParentNotFoundError, ConversationIdInUseError, and
   *   the sandboxes' ConcurrencyLimitReachedError
   */
  async start(
    caller: Caller,
    org: OrgContext,
    request: AppConversationStartRequest,
    initialContent: string | null,
  ): Promise<AppConversationStartTask> {
    const { initial_message: first } = request;
    if (first && first.role !== 'user') throw new RoleNotSupportedError();
    const sandboxId = await this.chosenSandbox(caller, org, request.sandbox_id ?? null);
    await this.checkParent(this.database.manager, caller, org, request.parent_conversation_id ?? null);
    await this.checkIdIsFree(request.conversation_id ?? null);
    const initial =
      first && initialContent !== null && first.content.length > 0
        ? { content: initialContent, run: first.run ?? true }
        : null;
    try {
      return await this.database.transaction((transaction) =>
        this.open(transaction, caller, org, request, sandboxId, initial),
      );
    } catch (error) {
      if (isUniqueViolation(error, 'conversations_pkey')) throw new ConversationIdInUseError();
      throw error;
    }
  }

  private async open(
    transaction: EntityManager,
    caller: Caller,
    org: OrgContext,
    request: AppConversationStartRequest,
    chosenSandboxId: string | null,
    initial: InitialMessage | null,
  ): Promise<AppConversationStartTask> {
    const owner = { orgId: org.orgId, userId: caller.userId };
    const conversationId = request.conversation_id ?? newId();
    const taskId = newId();
    const sandboxId = chosenSandboxId ?? (await this.lifecycle.create(transaction, owner));
    // Its parent stays until this one is there to be deleted with it.
    await this.checkParent(transaction, caller, org, request.parent_conversation_id ?? null, 'FOR SHARE');
    await this.insertConversation(transaction, caller, org, request, {
      id: conversationId,
      sandboxId,
      ownSandbox: chosenSandboxId === null,
    });
    await this.events.publish(transaction, {
      kind: 'conversation.created',
      org_id: org.orgId,
      conversation_id: conversationId,
      created_by_user_id: caller.userId,
      parent_conversation_id: request.parent_conversation_id ?? null,
      sandbox_id: sandboxId,
    });
    const seconds = this.settings.SANDBOX_START_SECONDS + WORK_SECONDS;
    const [task] = await transaction.query<[StartTaskRow]>(
      `INSERT INTO start_tasks (id, org_id, created_by_user_id, conversation_id, sandbox_id, status, request,
                                sealed_secrets, deadline_at)
       VALUES ($1, $2, $3, $4, $5, 'WORKING', $6, $7, $8) RETURNING *`,
      [
        taskId,
        org.orgId,
        caller.userId,
        conversationId,
        sandboxId,
        JSON.stringify(keptRequest(request)),
        request.secrets ? this.secretBox.seal(JSON.stringify(request.secrets), `start-task:${taskId}`) : null,
        new Date(this.clock.now().getTime() + seconds * 1000),
      ],
    );
    await this.queue.opened(transaction, { conversationId, taskId, ...owner }, initial);
    await this.jobs.add(transaction, startJob(taskId));
    return toStartTask(task);
  }

  private async insertConversation(
    transaction: EntityManager,
    caller: Caller,
    org: OrgContext,
    request: AppConversationStartRequest,
    made: { id: string; sandboxId: string; ownSandbox: boolean },
  ): Promise<void> {
    const text = (value: string | null | undefined): string | null =>
      value === null || value === undefined ? null : storableText(value);
    await transaction.query(
      `INSERT INTO conversations (id, org_id, created_by_user_id, parent_conversation_id, sandbox_id, own_sandbox,
                                  start_state, title, llm_model, selected_repository, selected_branch,
                                  git_provider, trigger, pr_number, tags)
       VALUES ($1, $2, $3, $4, $5, $6, 'starting', $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        made.id,
        org.orgId,
        caller.userId,
        request.parent_conversation_id ?? null,
        made.sandboxId,
        made.ownSandbox,
        text(request.title),
        text(request.llm_model) ?? this.settings.LLM_MODEL ?? null,
        text(request.selected_repository),
        text(request.selected_branch),
        request.git_provider ?? null,
        request.trigger ?? null,
        request.pr_number.map(databaseInteger),
        JSON.stringify(storableJson(request.tags ?? {})),
      ],
    );
  }

  private async chosenSandbox(caller: Caller, org: OrgContext, given: string | null): Promise<string | null> {
    if (given === null) return null;
    const id = parseUuid(given);
    const sandbox = id === null ? null : await this.sandboxes.byId(id);
    if (
      sandbox?.createdByUserId !== caller.userId ||
      sandbox.orgId !== org.orgId ||
      sandbox.status === 'MISSING'
    )
      throw new SandboxNotFoundError();
    return sandbox.id;
  }

  /**
   * Told before the cap on sandboxes (docs/contract.md#order-of-checks). Of two starts at once, the later one
   * hears it on storing.
   */
  private async checkIdIsFree(conversationId: string | null): Promise<void> {
    if (conversationId === null) return;
    const rows = await this.database.query<unknown[]>('SELECT 1 FROM conversations WHERE id = $1', [
      conversationId,
    ]);
    if (rows.length > 0) throw new ConversationIdInUseError();
  }

  private async checkParent(
    manager: EntityManager,
    caller: Caller,
    org: OrgContext,
    parentId: string | null,
    lock: 'FOR SHARE' | '' = '',
  ): Promise<void> {
    if (parentId === null) return;
    const rows = await manager.query<unknown[]>(
      `SELECT 1 FROM conversations
        WHERE id = $1 AND created_by_user_id = $2 AND org_id = $3 AND deleted_at IS NULL ${lock}`,
      [parentId, caller.userId, org.orgId],
    );
    if (rows.length === 0) throw new ParentNotFoundError();
  }
}
