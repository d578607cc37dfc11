import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseUuid } from '../../../common';
import { ConversationAgents, ProfileNotFoundError } from '../../../agent-settings';
import { ProviderCredentials } from '../../../git-credentials';
import { SandboxReader } from '../../../sandboxes';
import { Destinations } from '../../../skills';
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

/** Whom a conversation is started for. */
export interface StartOwner {
  readonly orgId: string;
  readonly userId: string;
}

/** What a request to start a conversation may name (docs/contract.md#start-request). */
@Injectable()
export class StartPreconditions {
  constructor(
    private readonly sandboxes: SandboxReader,
    private readonly conversations: ConversationRepository,
    private readonly agents: ConversationAgents,
    private readonly destinations: Destinations,
    private readonly credentials: ProviderCredentials,
  ) {}

  /**
   * @returns the sandbox that is asked for, null when none is
   * @throws RoleNotSupportedError, SharingNotSupportedError, StartFieldNotSupportedError, RepositoryAddressInvalidError,
   *   ParentNotFoundError, ProfileNotFoundError, ConversationIdInUseError
   */
  async check(owner: StartOwner, request: AppConversationStartRequest): Promise<string | null> {
    const { initial_message: first } = request;
    if (first && first.role !== 'user') throw new RoleNotSupportedError();
    refuseUnsupported(request);
    await this.checkRepository(owner, request);
    const sandboxId = await this.chosenSandbox(owner, request.sandbox_id ?? null);
    await this.checkParent(owner, request.parent_conversation_id ?? null, null);
    await this.checkProfile(owner, request.agent_profile_id ?? null);
    await this.checkIdIsFree(request.conversation_id ?? null);
    return sandboxId;
  }

  /**
   * The parent, if there is one, stays until the transaction has stored what is to be deleted with it.
   * @throws ParentNotFoundError
   */
  async holdParent(
    transaction: EntityManager,
    owner: StartOwner,
    request: AppConversationStartRequest,
  ): Promise<void> {
    await this.checkParent(owner, request.parent_conversation_id ?? null, transaction);
  }

  private async checkRepository(
    owner: StartOwner,
    { selected_repository: repository, git_provider: provider = null }: AppConversationStartRequest,
  ): Promise<void> {
    if (!repository) return;
    assertRepository(repository, await this.credentials.placeOf(owner, provider), this.destinations);
  }

  private async chosenSandbox(owner: StartOwner, given: string | null): Promise<string | null> {
    if (given === null) return null;
    const id = parseUuid(given);
    const sandbox = id === null ? null : await this.sandboxes.byId(id);
    const isUsable =
      sandbox?.createdByUserId === owner.userId &&
      sandbox.orgId === owner.orgId &&
      sandbox.status !== 'MISSING';
    if (!isUsable) throw new SandboxNotFoundError();
    return sandbox.id;
  }

  /**
   * Answered before the cap on sandboxes (docs/contract.md#order-of-checks). Of two starts at once, the later one
   * learns it on storing.
   */
  private async checkIdIsFree(conversationId: string | null): Promise<void> {
    if (conversationId !== null && (await this.conversations.isKnown(conversationId)))
      throw new ConversationIdInUseError();
  }

  private async checkProfile(owner: StartOwner, id: string | null): Promise<void> {
    if (id !== null && !(await this.agents.hasProfile(owner, id))) throw new ProfileNotFoundError();
  }

  private async checkParent(
    { orgId, userId }: StartOwner,
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
