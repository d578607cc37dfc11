import { Inject, Injectable } from '@nestjs/common';
import type { Caller, OrgContext } from '../../auth';
import { clampLimit, ownersFor, type Page, pageOf, type Person } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import { SandboxDrivers } from '../../sandboxes';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ProviderConnectionsRepository } from '../provider-connections/provider-connections.repository';
import { ConversationAgents } from '../start/conversation-agents';
import { providerOf } from '../start/llm';
import type { ModelInfo, ModelSearch, ProviderInfo } from './models.dto';

/** The models configured for a user: there is no catalogue of all that exist (docs/contract.md#profiles). */
@Injectable()
export class ModelsService {
  constructor(
    @Inject(SETTINGS) private readonly installation: Settings,
    private readonly agents: ConversationAgents,
    private readonly profiles: LlmProfilesRepository,
    private readonly connections: ProviderConnectionsRepository,
    private readonly drivers: SandboxDrivers,
  ) {}

  async models({ userId }: Caller, { orgId }: OrgContext, search: ModelSearch): Promise<Page<ModelInfo>> {
    const { builtInModel } = this.drivers.current.capabilities;
    const person = { userId, orgId };
    const { llm } = await this.agents.forConversation(person, { model: null });
    const chosen = llm.model ?? builtInModel;
    const found = (await this.modelsOf(person)).filter(
      (name) => isWanted(name, search) && (search.provider__eq ?? providerOf(name)) === providerOf(name),
    );
    const toInfo = (name: string): ModelInfo => {
      const provider = providerOf(name);
      return {
        provider,
        name: provider === null ? name : name.slice(provider.length + 1),
        verified: true,
        free: name === builtInModel,
        default: name === chosen,
      };
    };
    return pageOf(found, clampLimit(search.limit), toInfo, (name) => name);
  }

  async providers(
    { userId }: Caller,
    { orgId }: OrgContext,
    search: ModelSearch,
  ): Promise<Page<ProviderInfo>> {
    const ofModels = (await this.modelsOf({ userId, orgId })).flatMap((name) => providerOf(name) ?? []);
    const connected = (await this.connections.of(orgId)).map(({ provider }) => provider);
    const found = [...new Set([...ofModels, ...connected])].sort().filter((name) => isWanted(name, search));
    return pageOf(
      found,
      clampLimit(search.limit),
      (name) => ({ name, verified: true }),
      (name) => name,
    );
  }

  /** Ordered by name. */
  private async modelsOf(person: Person): Promise<string[]> {
    const { builtInModel } = this.drivers.current.capabilities;
    const { settings } = await this.agents.forConversation(person, { model: null });
    const profiles = await this.profiles.of(ownersFor(person));
    const names = [
      this.installation.LLM_MODEL ?? builtInModel,
      settings.llmModel,
      ...profiles.map(({ model }) => model),
    ];
    return [...new Set(names.filter((name) => name !== null))].sort();
  }
}

function isWanted(
  name: string,
  { page_id: first = '', query = '', verified__eq: verified }: ModelSearch,
): boolean {
  return verified !== false && name >= first && name.toLowerCase().includes(query.toLowerCase());
}
