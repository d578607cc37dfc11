import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  Clock,
  newId,
  type Person,
  storableJson,
  storableOrNull,
  HIDDEN,
  unlessHidden,
} from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { isRecording, traceContext } from '../../../../kernel/telemetry';
import { ConversationRepository } from '../../record/conversation.repository';
import { databaseInteger } from '../../record/database-integer';
import type { StartTask } from '../../start-tasks/start-task.entity';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';
import { StartSecrets } from '../tasks/start-secrets';

/** About as long as the titles that agent servers generate. */
const MAX_CHARACTERS = 50;

/**
 * What a conversation is called until its agent server has found a title: the beginning of its first message.
 * @returns null for one without words
 */
export function provisionalTitle({
  initial_message: message,
}: Pick<AppConversationStartRequest, 'initial_message'>): string | null {
  const text = message?.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ') ?? '';
  // More than enough for a title, of a text that may be megabytes.
  const words = text.slice(0, 1_000).trim().split(/\s+/).join(' ');
  if (words === '') return null;
  const characters = Array.from(words);
  if (characters.length <= MAX_CHARACTERS) return words;
  const beginning = characters.slice(0, MAX_CHARACTERS).join('');
  return `${beginning.replace(/\s+\S*$/, '')}…`;
}

/** How long preparing a repository may take in addition to the sandbox's own time. */
const WORK_SECONDS = 600;

/** The sandbox that a new conversation runs in. */
interface ChosenSandbox {
  readonly id: string;
  /** Whether it is made for this conversation. */
  readonly isOwn: boolean;
}

/** Decisions about a start beside its request. */
interface DecidedStart {
  readonly sandbox: ChosenSandbox;
  readonly model: string | null;
}

/** Stores the conversation and the start task of a request. */
@Injectable()
export class StartRecords {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly conversations: ConversationRepository,
    private readonly tasks: StartTaskRepository,
    private readonly secrets: StartSecrets,
    private readonly clock: Clock,
  ) {}

  /** @throws a unique violation of `conversations_pkey` when the id is taken */
  async store(
    transaction: EntityManager,
    owner: Person,
    request: AppConversationStartRequest,
    { sandbox, model }: DecidedStart,
  ): Promise<StartTask> {
    const conversationId = request.conversation_id ?? newId();
    await this.conversations.insert(transaction, {
      id: conversationId,
      orgId: owner.orgId,
      createdByUserId: owner.userId,
      parentConversationId: request.parent_conversation_id ?? null,
      sandboxId: sandbox.id,
      ownSandbox: sandbox.isOwn,
      startState: 'starting',
      title: storableOrNull(request.title ?? provisionalTitle(request)),
      llmModel: storableOrNull(model),
      selectedRepository: storableOrNull(request.selected_repository),
      selectedBranch: storableOrNull(request.selected_branch),
      gitProvider: request.git_provider ?? null,
      trigger: request.trigger ?? null,
      prNumber: request.pr_number.map(databaseInteger),
      tags: storableJson(request.tags ?? {}),
    });
    const taskId = newId();
    return this.tasks.insert(transaction, {
      id: taskId,
      orgId: owner.orgId,
      createdByUserId: owner.userId,
      conversationId,
      sandboxId: sandbox.id,
      request: storableRequest(request),
      sealedSecrets: this.secrets.seal(taskId, broughtSecrets(request)),
      traceContext: (isRecording() ? traceContext() : null) ?? null,
      deadlineAt: new Date(
        this.clock.now().getTime() + (this.settings.SANDBOX_START_SECONDS + WORK_SECONDS) * 1000,
      ),
    });
  }
}

/** The secrets that a request brings: the sign for a hidden one leaves what its user keeps under the name. */
function broughtSecrets({
  secrets,
}: Pick<AppConversationStartRequest, 'secrets'>): Record<string, string> | null {
  if (!secrets) return null;
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => unlessHidden(value) !== undefined));
}

/** The request as it is stored and answered, with the values of secrets hidden. */
function storableRequest(request: AppConversationStartRequest): Record<string, unknown> {
  const { secrets, ...rest } = request;
  const brought = secrets && broughtSecrets({ secrets });
  const hidden = {
    ...rest,
    ...(brought && { secrets: Object.fromEntries(Object.keys(brought).map((name) => [name, HIDDEN])) }),
  };
  return storableJson(hidden);
}
