import { Injectable } from '@nestjs/common';
import { type Actor, Actors, personOf, type UserActor } from '../../kernel/auth';
import { type Page, parseUuid } from '../../kernel/common';
import { checkGiven } from '../../kernel/validation';
import { Sandboxes } from '../../sandboxes/sandboxes';
import { type AppConversation, AppConversationSearch } from './app-conversations/app-conversation.dto';
import { AppConversationsService } from './app-conversations/app-conversations.service';
import { AppConversationUpdate } from './app-conversations/conversation-update.dto';
import { InterruptService } from './interrupt/interrupt.service';
import { OrgListResponses } from './org-list/list/org-list-responses';
import { type OrgConversationPage, OrgConversationsQuery } from './org-list/list/org-conversations.dto';
import { ConversationNotFoundError, SandboxNotFoundError } from './record/conversations.errors';
import type { GivenContentBlock } from './send-message/send-message.dto';
import { type PreparedStart, StartConversationService } from './start/request/start-conversation.service';
import { AppConversationStartRequest } from './start/tasks/start-conversation.dto';
import type { AppConversationStartTask } from './start/tasks/start-task.dto';

/** What a conversation starts with, as the body of `POST /api/v1/app-conversations`. */
export type GivenStart = Partial<Omit<AppConversationStartRequest, 'initial_message'>> & {
  readonly initial_message?: { readonly content: readonly GivenContentBlock[]; readonly run?: boolean };
};

/**
 * Conversations, from inside (docs/extending.md#from-inside), with the checks and limits of the routes: a user has their own,
 * and reads others where their role may; the service has all of its organization. Whatever the actor has not is a
 * ConversationNotFoundError, and what is given is checked as a request is (ValidationError).
 */
@Injectable()
export class Conversations {
  constructor(
    private readonly records: AppConversationsService,
    private readonly ofOrg: OrgListResponses,
    private readonly starts: StartConversationService,
    private readonly interrupts: InterruptService,
    private readonly sandboxes: Sandboxes,
    private readonly actors: Actors,
  ) {}

  /** @throws ConversationNotFoundError */
  async find(actor: Actor, id: string): Promise<AppConversation> {
    return this.records.get(actor, idOf(id));
  }

  /**
   * A page of the conversations of the organization, whoever started them, with the filters of its list.
   * @throws PermissionDeniedError for a user who may not view them, ConversationsUnavailableError, ValidationError
   */
  async list(actor: Actor, query: Partial<OrgConversationsQuery> = {}): Promise<OrgConversationPage> {
    this.actors.require(actor, 'view_org_conversations');
    return this.ofOrg.records(actor.orgId, checkGiven(OrgConversationsQuery, query));
  }

  /** A page of a user's own conversations, with the filters of their search. @throws PageIdInvalidError, ValidationError */
  async search(user: UserActor, search: Partial<AppConversationSearch> = {}): Promise<Page<AppConversation>> {
    return this.records.searchRecords(user, checkGiven(AppConversationSearch, search));
  }

  /** Starts a conversation of a user. @throws as {@link prepare}, and what it returns */
  async start(user: UserActor, request: GivenStart): Promise<AppConversationStartTask> {
    return this.starts.start(personOf(user, user), ...readStart(request));
  }

  /**
   * As {@link start}, for a transaction of the caller's: queries that need a connection run before that begins, since nothing may
   * wait for a second connection while one is held.
   * @returns starts the conversation in a transaction, and throws ConcurrencyLimitReachedError, DriverNotAvailableError,
   *   UserMessageBytesError, OrganizationMessageBytesError, ConversationIdInUseError; the work begins once that commits
   * @throws ValidationError and, as `POST /api/v1/app-conversations`, for what the request names and is not there
   */
  async prepare(user: UserActor, request: GivenStart): Promise<PreparedStart> {
    return this.starts.prepare(personOf(user, user), ...readStart(request));
  }

  /** Writes the fields that are present. @throws ConversationNotFoundError, OnlyAtStartError, ValidationError */
  async update(actor: Actor, id: string, update: AppConversationUpdate): Promise<AppConversation> {
    return this.records.update(actor, idOf(id), checkGiven(AppConversationUpdate, update));
  }

  /**
   * Stops the run of the agent; the sandbox runs on, and takes messages.
   * @throws ConversationNotFoundError, SandboxNotRunningError and the others of the route, AgentServerError
   */
  async interrupt(actor: Actor, id: string): Promise<void> {
    await this.interrupts.interrupt(actor, idOf(id));
  }

  /**
   * Stops the conversation whether or not its agent server answers: pauses its sandbox, with all that is in it. A resumed sandbox
   * takes messages again.
   * @throws ConversationNotFoundError, SandboxNotFoundError, SandboxNotPausableError, SandboxDriverUnavailableError
   */
  async stop(actor: Actor, id: string): Promise<void> {
    const { sandboxId } = await this.records.owned(actor, idOf(id));
    if (sandboxId === null) throw new SandboxNotFoundError();
    await this.sandboxes.pause(actor, sandboxId);
  }

  /** Deletes it with those that belong to it, and the sandbox made for it. @throws ConversationNotFoundError, LegalHoldError */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.records.delete(actor, idOf(id));
  }
}

function readStart(given: GivenStart): [AppConversationStartRequest, string | null] {
  const request = checkGiven(AppConversationStartRequest, given);
  const content = request.initial_message?.content;
  return [request, content === undefined ? null : JSON.stringify(content)];
}

function idOf(text: string): string {
  const id = parseUuid(text);
  if (id === null) throw new ConversationNotFoundError();
  return id;
}
