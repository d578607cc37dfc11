import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { noteTarget } from '../../../../kernel/audit';
import type { Person } from '../../../../kernel/common';
import { isUniqueViolation } from '../../../../kernel/database';
import { JobQueue } from '../../../../kernel/jobs';
import { SandboxLifecycle } from '../../../../sandboxes/sandboxes';
import { ConversationQueue, type InitialMessage } from '../../queue/conversation-queue';
import { ConversationIdInUseError, SuggestedTaskWithMessageError } from '../../record/conversations.errors';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import type { AppConversationStartTask } from '../tasks/start-task.dto';
import { toStartTask } from '../tasks/start-tasks.service';
import { startJob } from './start-job-name';
import { type CheckedOwner, StartPreconditions } from './start-preconditions';
import { StartRecords } from './start-records';
import type { SuggestedTask } from '../tasks/suggested-task.dto';

/** Starts a conversation whose request has passed its checks, in a transaction. */
export type PreparedStart = (transaction: EntityManager) => Promise<AppConversationStartTask>;

/** A request that has passed its checks. */
interface CheckedStart extends CheckedOwner {
  readonly request: AppConversationStartRequest;
  readonly initial: InitialMessage | null;
  /** The model it will run on; null where the agent server has to say. */
  readonly model: string | null;
}

/**
 * Takes a request to start a conversation; the work itself is a durable job (docs/contract.md#start-request).
 */
@Injectable()
export class StartConversationService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly preconditions: StartPreconditions,
    private readonly records: StartRecords,
    private readonly lifecycle: SandboxLifecycle,
    private readonly queue: ConversationQueue,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * @param initialContent the JSON text of the initial message's content, as it came; null without one
   * @throws SuggestedTaskWithMessageError, what the {@link StartPreconditions} throw, and the sandboxes'
   *   ConcurrencyLimitReachedError
   */
  async start(
    asking: Person,
    given: AppConversationStartRequest,
    initialContent: string | null,
  ): Promise<AppConversationStartTask> {
    return this.database.transaction(await this.prepare(asking, given, initialContent));
  }

  /**
   * As {@link start}, for a transaction of the caller's: other queries run before that begins.
   * @returns starts the conversation in a transaction; once it commits, the work begins
   */
  async prepare(
    asking: Person,
    given: AppConversationStartRequest,
    initialContent: string | null,
  ): Promise<PreparedStart> {
    const request = withSuggestedTask(given);
    const { owner, sandboxId } = await this.preconditions.check(asking, request);
    const initial = initialMessage(
      request,
      request === given ? initialContent : JSON.stringify(request.initial_message?.content),
    );
    const model = await this.preconditions.modelOf(owner, request);
    return async (transaction) => {
      try {
        return await this.open(transaction, { owner, request, sandboxId, initial, model });
      } catch (error) {
        if (isUniqueViolation(error, 'conversations_pkey')) throw new ConversationIdInUseError();
        throw error;
      }
    };
  }

  private async open(
    transaction: EntityManager,
    { owner, request, sandboxId, initial, model }: CheckedStart,
  ): Promise<AppConversationStartTask> {
    const sandbox = {
      id: sandboxId ?? (await this.lifecycle.create(transaction, owner)),
      isOwn: sandboxId === null,
    };
    await this.preconditions.holdParent(transaction, owner, request);
    const task = await this.records.store(transaction, owner, request, { sandbox, model });
    noteTarget('conversation', task.conversationId);
    const queued = { conversationId: task.conversationId, taskId: task.id, ...owner };
    await this.queue.open(transaction, queued, initial);
    await this.jobs.add(transaction, startJob(task));
    return toStartTask(task);
  }
}

/** The first message of the queue; one without content is none. */
function initialMessage(
  { initial_message: first }: AppConversationStartRequest,
  content: string | null,
): InitialMessage | null {
  if (!first || content === null || first.content.length === 0) return null;
  return { content, run: first.run ?? true };
}

/**
 * A start request with what its suggested task stands for: the first message, and repository, provider and trigger
 * where they are left out (docs/contract.md#start-request). Without such a task it is the request itself.
 * @throws SuggestedTaskWithMessageError
 */
function withSuggestedTask(request: AppConversationStartRequest): AppConversationStartRequest {
  const { suggested_task: task } = request;
  if (!task) return request;
  if (request.initial_message) throw new SuggestedTaskWithMessageError();
  const stoodFor = {
    initial_message: {
      role: 'user',
      content: [{ type: 'text', text: instructions(task), cache_prompt: false }],
    },
    selected_repository: request.selected_repository ?? task.repo,
    git_provider: request.git_provider ?? task.git_provider,
    trigger: request.trigger ?? 'suggested_task',
  } satisfies Partial<AppConversationStartRequest>;
  return Object.assign({}, request, stoodFor);
}

/** The instructions for the agent. */
function instructions({ task_type: type, repo, issue_number: number, title }: SuggestedTask): string {
  const pullRequest = `pull request ${number} of ${repo} ("${title}")`;
  switch (type) {
    case 'OPEN_ISSUE':
      return `Resolve issue ${number} of ${repo} ("${title}"). Read the issue with its comments, make the change on a new branch, test it, and open a pull request that refers to the issue.`;
    case 'MERGE_CONFLICTS':
      return `Resolve the merge conflicts of ${pullRequest}. Check out its branch, merge the target branch into it so that both sides keep their meaning, run the tests, and push the branch.`;
    case 'FAILING_CHECKS':
      return `Make the failing checks of ${pullRequest} pass. Check out its branch, read why the checks fail, fix the cause rather than the check, run them where you can, and push the branch.`;
    case 'UNRESOLVED_COMMENTS':
      return `Address the unresolved review comments of ${pullRequest}. Check out its branch, read the comments, make the changes they ask for, and push the branch. Where you disagree with a comment, say why.`;
  }
}
