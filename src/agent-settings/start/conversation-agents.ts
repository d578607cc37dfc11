import { Inject, Injectable } from '@nestjs/common';
import { nearestFirst, ownersFor, type Person } from '../../common';
import { SETTINGS, type Settings } from '../../config';
import type { AgentProfileRow } from '../agent-profiles/agent-profile.entity';
import { AgentProfilesRepository } from '../agent-profiles/agent-profiles.repository';
import { type LlmProfile, LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ProviderConnectionsRepository } from '../provider-connections/provider-connections.repository';
import { AgentSettingsRepository, type AgentSettings } from '../record/agent-settings.repository';
import { composeLlm, type Llm, NO_LLM, providerOf } from './llm';

/** The agent of a conversation. */
export interface ConversationAgent {
  readonly llm: Llm;
  /** Whether the key of the model is one that the creator keeps. */
  readonly isKeyOwn: boolean;
  readonly settings: AgentSettings;
  /** The agent profile that it comes from; null without one. */
  readonly profile: { readonly id: string; readonly revision: number } | null;
  /** The model profile that the agent profile names, where there is none of that name. */
  readonly missingModelProfile: string | null;
}

/** The agent that a start request asks for. */
export interface RequestedAgent {
  readonly model: string | null;
  /** An agent profile; by default the user's active one, else the organization's. */
  readonly agentProfileId?: string | null;
}

/** Resolves what agents of conversations run on (docs/contract.md#agent-settings). */
@Injectable()
export class ConversationAgents {
  constructor(
    @Inject(SETTINGS) private readonly installation: Settings,
    private readonly settings: AgentSettingsRepository,
    private readonly profiles: LlmProfilesRepository,
    private readonly agentProfiles: AgentProfilesRepository,
    private readonly connections: ProviderConnectionsRepository,
  ) {}

  /** The agent that a conversation of this user in this organization starts with. */
  async forConversation(person: Person, requested: RequestedAgent): Promise<ConversationAgent> {
    const settings = await this.settings.ofPerson(person);
    const profiles = (await this.profiles.of(ownersFor(person))).sort(nearestFirst);
    const asked = requested.agentProfileId ?? null;
    const agentProfile = await this.agentProfile(person, asked);
    const referred = modelProfileOf(agentProfile, profiles);
    const isOrgDefault = asked === null && agentProfile?.userId === null;
    const ownActive = profiles.find(({ isActive, userId }) => isActive && userId !== null);
    const orgActive = profiles.find(({ isActive, userId }) => isActive && userId === null);
    const own = [llmOf(ownActive), ownLlm(settings)];
    const chosen = isOrgDefault ? NO_LLM : llmOf(referred);
    const nearer = [{ ...NO_LLM, model: requested.model }, chosen, ...own];
    const farther = [isOrgDefault ? llmOf(referred) : NO_LLM, llmOf(orgActive), this.ofInstallation()];
    const { model } = composeLlm([...nearer, ...farther]);
    const connection = model === null ? NO_LLM : await this.connectionFor(person.orgId, model);
    const profile = agentProfile ? { id: agentProfile.id, revision: agentProfile.revision } : null;
    const llm = composeLlm([...nearer, connection, ...farther]);
    const isKeyOwn = isKeyOf(llm, [...(referred?.userId === null ? [] : [llmOf(referred)]), ...own]);
    const missingModelProfile = referred === undefined ? (agentProfile?.llmProfileRef ?? null) : null;
    return { settings, llm, isKeyOwn, profile, missingModelProfile };
  }

  /** Whether a request of this user in this organization may name this agent profile. */
  async hasProfile(person: Person, agentProfileId: string): Promise<boolean> {
    return (await this.agentProfiles.of(ownersFor(person), { id: agentProfileId })).length > 0;
  }

  /** The model of a profile of the user or the organization; null if there is no profile of this name. */
  async byProfile(person: Person, name: string): Promise<Llm | null> {
    const [profile] = (await this.profiles.of(ownersFor(person), { name })).sort(nearestFirst);
    if (profile === undefined) return null;
    const connection = await this.connectionFor(person.orgId, profile.model);
    return composeLlm([llmOf(profile), connection, this.ofInstallation()]);
  }

  private async agentProfile(person: Person, id: string | null): Promise<AgentProfileRow | undefined> {
    const where = id === null ? ({ isActive: true } as const) : { id };
    return (await this.agentProfiles.of(ownersFor(person), where)).sort(nearestFirst)[0];
  }

  private async connectionFor(orgId: string, model: string): Promise<Llm> {
    const provider = providerOf(model);
    const found = provider === null ? null : await this.connections.forProvider(orgId, provider);
    return found === null ? NO_LLM : { model: null, baseUrl: found.baseUrl, apiKey: found.apiKey };
  }

  private ofInstallation(): Llm {
    const { LLM_MODEL, LLM_BASE_URL, LLM_API_KEY } = this.installation;
    return { model: LLM_MODEL ?? null, baseUrl: LLM_BASE_URL ?? null, apiKey: LLM_API_KEY ?? null };
  }
}

/**
 * The model profile that an agent profile names. An organization's names one of its organization, so that a member's own
 * profile of the same name does not change what it is.
 * @param profiles the nearest first
 */
function modelProfileOf(
  agentProfile: AgentProfileRow | undefined,
  profiles: readonly LlmProfile[],
): LlmProfile | undefined {
  const isOfOrg = agentProfile?.userId === null;
  return profiles.find(
    ({ name, userId }) => name === agentProfile?.llmProfileRef && (userId === null || !isOfOrg),
  );
}

function llmOf(profile: LlmProfile | undefined): Llm {
  return profile === undefined
    ? NO_LLM
    : { model: profile.model, baseUrl: profile.baseUrl, apiKey: profile.apiKey };
}

/** Whether a model has its address and key from one of some places. */
function isKeyOf(llm: Llm, places: readonly Llm[]): boolean {
  const { baseUrl, apiKey } = composeLlm(places);
  return apiKey !== null && apiKey === llm.apiKey && baseUrl === llm.baseUrl;
}

function ownLlm({ llmModel, llmBaseUrl, llmApiKey }: AgentSettings): Llm {
  return { model: llmModel, baseUrl: llmBaseUrl, apiKey: llmApiKey };
}
