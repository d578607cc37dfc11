import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseUuid, type Person, storableJson, storableText } from '../../../../kernel/common';
import { BudgetExhaustedError, Budgets } from '../../../../agents/budgets';
import { ConversationAgents, ModelReach, ProfileNotFoundError } from '../../../../agents/agent-settings';
import { ProviderCredentials } from '../../../../agents/git-credentials';
import { SandboxReader, type SandboxView } from '../../../../sandboxes/sandboxes';
import { Destinations } from '../../../../agents/skills';
import { ConversationRepository } from '../../record/conversation.repository';
import {
  ConversationIdInUseError,
  ParentNotFoundError,
  RoleNotSupportedError,
  SandboxNotFoundError,
  SharingNotSupportedError,
  StartFieldNotSupportedError,
} from '../../record/conversations.errors';
import { assertRepository } from '../../record/repository-check';
import type { AppConversationStartRequest } from '../tasks/start-conversation.dto';

/** The user and the sandbox of a start; null for a new sandbox. */
export interface CheckedOwner {
  readonly owner: Person;
  readonly sandboxId: string | null;
}

/** What a request to start a conversation may name (docs/contract.md#start-request). */
@Injectable()
export class StartPreconditions {
  constructor(
    private readonly sandboxes: SandboxReader,
    private readonly conversations: ConversationRepository,
    private readonly agents: ConversationAgents,
    private readonly models: ModelReach,
    private readonly destinations: Destinations,
    private readonly credentials: ProviderCredentials,
    private readonly budgets: Budgets,
  ) {}

  /**
   * @returns the sandbox that is asked for, null when none is, and for whom the conversation starts in it
   * @throws RoleNotSupportedError, SharingNotSupportedError, StartFieldNotSupportedError, RepositoryAddressInvalidError,
   *   ParentNotFoundError, ProfileNotFoundError, ConversationIdInUseError, BudgetExhaustedError
   */
  async check(asking: Person, request: AppConversationStartRequest): Promise<CheckedOwner> {
    const { initial_message: first } = request;
    if (first && first.role !== 'user') throw new RoleNotSupportedError();
    refuseUnsupported(request);
    await this.checkRepository(asking, request);
    const sandbox = await this.chosenSandbox(asking, request.sandbox_id ?? null);
    const owner = { ...asking, byLink: sandbox?.byLink ?? asking.byLink };
    await this.checkParent(owner, request.parent_conversation_id ?? null, null);
    await this.checkProfile(owner, request.agent_profile_id ?? null);
    await this.checkIdIsFree(request.conversation_id ?? null);
    await this.checkBudgets(owner, request);
    return { owner, sandboxId: sandbox?.id ?? null };
  }

  /**
   * The model that the conversation will run on; null where the agent server has to say.
   * @throws ModelNotAllowedError
   */
  async modelOf(owner: Person, request: AppConversationStartRequest): Promise<string | null> {
    const { llm } = await this.agents.forConversation(owner, {
      model: request.llm_model ?? null,
      agentProfileId: request.agent_profile_id ?? null,
    });
    if (llm.model !== null) await this.models.check(owner, llm.model);
    return llm.model;
  }

  /**
   * The parent, if there is one, stays until the transaction has stored what is to be deleted with it.
   * @throws ParentNotFoundError
   */
  async holdParent(
    transaction: EntityManager,
    owner: Person,
    request: AppConversationStartRequest,
  ): Promise<void> {
    await this.checkParent(owner, request.parent_conversation_id ?? null, transaction);
  }

  private async checkRepository(
    owner: Person,
    { selected_repository: repository, git_provider: provider = null }: AppConversationStartRequest,
  ): Promise<void> {
    if (!repository) return;
    assertRepository(repository, await this.credentials.placeOf(owner, provider), this.destinations);
  }

  private async chosenSandbox(owner: Person, given: string | null): Promise<SandboxView | null> {
    if (given === null) return null;
    const id = parseUuid(given);
    const sandbox = id === null ? null : await this.sandboxes.byId(id);
    const isUsable =
      sandbox?.createdByUserId === owner.userId &&
      sandbox.orgId === owner.orgId &&
      (sandbox.byLink || !owner.byLink) &&
      sandbox.status !== 'MISSING';
    if (!isUsable) throw new SandboxNotFoundError();
    return sandbox;
  }

  /**
   * Answered before the cap on sandboxes (docs/contract.md#order-of-checks). Of two starts at once, the later one
   * learns it on storing.
   */
  private async checkIdIsFree(conversationId: string | null): Promise<void> {
    if (conversationId !== null && (await this.conversations.isKnown(conversationId)))
      throw new ConversationIdInUseError();
  }

  private async checkBudgets(
    { orgId, userId }: Person,
    { selected_repository: repository, tags, parent_conversation_id: parent }: AppConversationStartRequest,
  ): Promise<void> {
    const exhausted = await this.budgets.exhaustedForNew({
      ...{ orgId, userId, parentConversationId: parent ?? null },
      repository: repository ? storableText(repository) : null,
      tags: storableJson(tags ?? {}),
    });
    if (exhausted !== null) throw new BudgetExhaustedError(exhausted);
  }

  private async checkProfile(owner: Person, id: string | null): Promise<void> {
    if (id !== null && !(await this.agents.hasProfile(owner, id))) throw new ProfileNotFoundError();
  }

  private async checkParent(
    { orgId, userId }: Person,
    id: string | null,
    transaction: EntityManager | null,
  ): Promise<void> {
    if (id === null) return;
    if (!(await this.conversations.isOwned({ id, orgId, createdByUserId: userId }, transaction)))
      throw new ParentNotFoundError();
  }
}

/** Fields of the public interface that nothing here can honour: refused rather than dropped. */
function refuseUnsupported(request: AppConversationStartRequest): void {
  if (request.public) throw new SharingNotSupportedError();
  for (const field of ['processors', 'dependency_repos'] as const)
    if (request[field]?.length) throw new StartFieldNotSupportedError(field);
}
