import type { Caller, OrgContext } from '../../auth';
import { type Page } from '../../common';
import { type Settings } from '../../config';
import { SandboxDrivers } from '../../sandboxes';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ProviderConnectionsRepository } from '../provider-connections/provider-connections.repository';
import { ConversationAgents } from '../start/conversation-agents';
import { ModelCatalogues } from './model-catalogues';
import type { ModelInfo, ModelSearch, ProviderInfo } from './models.dto';
/**
 * The models configured for a user, and those that an agent server of theirs can call; both count as verified if they
 * are configured or if that server says so (docs/contract.md#profiles).
 */
export declare class ModelsService {
    private readonly installation;
    private readonly agents;
    private readonly profiles;
    private readonly connections;
    private readonly drivers;
    private readonly catalogues;
    constructor(installation: Settings, agents: ConversationAgents, profiles: LlmProfilesRepository, connections: ProviderConnectionsRepository, drivers: SandboxDrivers, catalogues: ModelCatalogues);
    models({ userId }: Caller, { orgId }: OrgContext, search: ModelSearch): Promise<Page<ModelInfo>>;
    providers({ userId }: Caller, { orgId }: OrgContext, search: ModelSearch): Promise<Page<ProviderInfo>>;
    /** Names of models. */
    private configured;
}
