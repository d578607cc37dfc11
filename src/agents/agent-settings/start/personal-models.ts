import { Injectable } from '@nestjs/common';
import { nearestByName, nearestFirst, ownersFor, type Person } from '../../../kernel/common';
import { type LlmProfile, LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { type ListedMcp, listedMcp } from '../mcp/shown-mcp';
import { ConversationAgents } from './conversation-agents';
import { withoutSecrets } from '../model-settings/llm-options';
import type { Llm } from './llm';

/** The models and tool servers of a person. Keys are only those that they keep themselves. */
interface ModelsOfPerson {
  /** The model of conversations that name none. */
  readonly llm: Llm;
  /** The profiles that the person may name, by name. */
  readonly profiles: readonly (Llm & { readonly name: string })[];
  /** The name of the active one. */
  readonly activeProfile: string | null;
  /** Without secrets. */
  readonly toolServers: ListedMcp;
}

/** Reads the models and tool servers of a person, for clients that run agents of their own (docs/contract.md#secrets-for-sandboxes). */
@Injectable()
export class PersonalModels {
  constructor(
    private readonly agents: ConversationAgents,
    private readonly profiles: LlmProfilesRepository,
  ) {}

  /** With the keys that the person keeps; never with those of the organization or the installation. */
  async of(person: Person): Promise<ModelsOfPerson> {
    const { llm, isKeyOwn, settings } = await this.agents.forConversation(person, { model: null });
    const profiles = await this.profiles.of(ownersFor(person));
    const [active] = profiles.filter(({ isActive }) => isActive).sort(nearestFirst);
    return {
      llm: { ...llm, apiKey: isKeyOwn ? llm.apiKey : null, options: withoutSecrets(llm.options) },
      profiles: nearestByName(profiles).map(shown),
      activeProfile: active?.name ?? null,
      toolServers: listedMcp(settings.mcpConfig),
    };
  }
}

function shown(profile: LlmProfile): Llm & { readonly name: string } {
  const { name, model, baseUrl, apiKey, options, userId } = profile;
  const isOwn = userId !== null;
  return {
    name,
    model,
    baseUrl,
    apiKey: isOwn ? apiKey : null,
    options: isOwn ? options : withoutSecrets(options),
  };
}
