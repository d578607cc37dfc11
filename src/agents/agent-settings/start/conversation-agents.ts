import { Inject, Injectable } from '@nestjs/common';
import { fullModelName } from '../../model-policy';
import { nearestFirst, ownersFor, parseUuid, type Person } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import type { AgentProfileRow } from '../agent-profiles/agent-profile.entity';
import { AgentProfilesRepository } from '../agent-profiles/agent-profiles.service';
import { type LlmProfile, LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import {
  type Connection,
  ProviderConnectionsRepository,
} from '../provider-connections/provider-connections.service';
import { AgentSettingsRepository, type AgentSettings } from '../record/agent-settings.repository';
import { composeLlm, type Llm, type NamedLlm, NO_LLM, PROXY, providerOf, reaches } from './llm';

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
interface RequestedAgent {
  readonly model: string | null;
  /** An agent profile; by default the user's active one, else the organization's. */
  readonly agentProfileId?: string | null;
}

/** A place that says where models are, or who calls them. */
interface Place {
  readonly llm: Llm;
  /** Whether its key is one that the creator of the conversation keeps. */
  readonly isOwn: boolean;
  /** Whether it is the installation's, and so for all organizations. */
  readonly isShared: boolean;
}

/** How an agent may reach models. */
interface ModelReach {
  /** The models that are set, the nearest first. */
  readonly names: readonly string[];
  /** The places that may be for a model, the nearest first. */
  places(model: string): readonly Place[];
}

/** What the agent of a person is put together from, the nearest first. */
interface Gathered {
  readonly settings: AgentSettings;
  readonly profiles: readonly LlmProfile[];
  readonly agentProfile: AgentProfileRow | undefined;
  readonly referred: LlmProfile | undefined;
  readonly own: readonly Llm[];
  readonly nearer: readonly Llm[];
  readonly farther: readonly Llm[];
  readonly connections: readonly Connection[];
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
    const { settings, agentProfile, referred, own, nearer, farther, connections } = await this.gathered(
      person,
      requested.agentProfileId ?? null,
    );
    const model = requested.model ?? composeLlm([...nearer, ...farther]).model;
    const profile = agentProfile ? { id: agentProfile.id, revision: agentProfile.revision } : null;
    const linked = (places: readonly Llm[]) => places.map((place) => linkedTo(connections, place, model));
    const reached = [...linked(nearer), connectionFor(connections, model), ...linked(farther)];
    const llm = { ...composeLlm(reached), model };
    const isKeyOwn = isKeyOf(llm, [...(referred?.userId === null ? [] : [llmOf(referred)]), ...own]);
    const missingModelProfile = referred === undefined ? (agentProfile?.llmProfileRef ?? null) : null;
    return { settings, llm, isKeyOwn, profile, missingModelProfile };
  }

  /** How an agent of this user in this organization may reach models, for who reaches them in its stead. */
  async reach(person: Person): Promise<ModelReach> {
    const { profiles, settings, referred, nearer, farther, connections } = await this.gathered(person, null);
    const chosen = composeLlm([...nearer, ...farther]).model;
    const ofInstallation = this.ofInstallation();
    const names = [chosen, settings.llmModel, ...profiles.map(({ model }) => model), ofInstallation.model];
    const places = (model: string): Place[] => {
      // By the name of its provider a model is allowed and priced: under another one, a connection would get what nobody allowed.
      const ofProvider = connections.filter(({ provider }) => provider === providerOf(model));
      const ofProxies = connections.filter(({ provider }) => provider === PROXY);
      const place = (llm: Llm, isOwn = false): Place => {
        const ofModel = linkedTo(ofProvider, llm, model);
        if (ofModel !== llm) return { llm: { ...ofModel, model }, isOwn: false, isShared: false };
        const ofAll = linkedTo(ofProxies, llm, model);
        if (ofAll !== llm) return { llm: { ...ofAll, model: `${PROXY}/` }, isOwn: false, isShared: false };
        return { llm, isOwn, isShared: false };
      };
      const named = profiles.filter((profile) => fullModelName(profile.model) === model);
      return [
        ...named.filter(({ userId }) => userId !== null).map((profile) => place(llmOf(profile), true)),
        ...nearer.map((llm, n) => place(llm, n > 0 || (referred?.userId ?? null) !== null)),
        ...named.filter(({ userId }) => userId === null).map((profile) => place(llmOf(profile))),
        place({ ...connectionFor(connections, model), model }),
        ...farther.slice(0, -1).map((llm) => place(llm)),
        { llm: ofInstallation, isOwn: false, isShared: true },
      ];
    };
    return { names: names.filter((name) => name !== null), places };
  }

  /** Whether a request of this user in this organization may name this agent profile. */
  async hasProfile(person: Person, agentProfileId: string): Promise<boolean> {
    return (await this.agentProfiles.of(ownersFor(person), { id: agentProfileId })).length > 0;
  }

  /** The model of a profile of the user or the organization; null if there is no profile of this name. */
  async byProfile(person: Person, name: string): Promise<NamedLlm | null> {
    const [profile] = (await this.profiles.of(ownersFor(person), { name })).sort(nearestFirst);
    if (profile === undefined) return null;
    const connections = await this.connections.of(person.orgId);
    const { model } = profile;
    const own = linkedTo(connections, llmOf(profile), model);
    return { ...composeLlm([own, connectionFor(connections, model), this.ofInstallation()]), model };
  }

  /** @param asked an agent profile; null for the active one */
  private async gathered(person: Person, asked: string | null): Promise<Gathered> {
    // At once: nearly every call of an agent through the gateway waits for them.
    const [settings, unsorted, agentProfile, connections] = await Promise.all([
      this.settings.ofPerson(person),
      this.profiles.of(ownersFor(person)),
      this.agentProfile(person, asked),
      this.connections.of(person.orgId),
    ]);
    const profiles = unsorted.sort(nearestFirst);
    const referred = modelProfileOf(agentProfile, profiles);
    const isOrgDefault = asked === null && agentProfile?.userId === null;
    const ownActive = profiles.find(({ isActive, userId }) => isActive && userId !== null);
    const orgActive = profiles.find(({ isActive, userId }) => isActive && userId === null);
    const own = [llmOf(ownActive), ownLlm(settings)];
    const nearer = [isOrgDefault ? NO_LLM : llmOf(referred), ...own];
    const farther = [isOrgDefault ? llmOf(referred) : NO_LLM, llmOf(orgActive), this.ofInstallation()];
    return { settings, profiles, agentProfile, referred, own, nearer, farther, connections };
  }

  private async agentProfile(person: Person, id: string | null): Promise<AgentProfileRow | undefined> {
    const where = id === null ? ({ isActive: true } as const) : { id };
    return (await this.agentProfiles.of(ownersFor(person), where)).sort(nearestFirst)[0];
  }

  private ofInstallation(): Llm {
    const { LLM_MODEL, LLM_BASE_URL, LLM_API_KEY } = this.installation;
    return {
      ...NO_LLM,
      model: LLM_MODEL ?? null,
      baseUrl: LLM_BASE_URL ?? null,
      apiKey: LLM_API_KEY ?? null,
    };
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
  if (profile === undefined) return NO_LLM;
  const { model, baseUrl, apiKey, options } = profile;
  return { model, baseUrl, apiKey, options };
}

/**
 * A place with the address and key of the connection that it names, unless it has its own. One without an address is for
 * models of its provider only: with others its key would go elsewhere.
 */
function linkedTo(connections: readonly Connection[], place: Llm, model: string | null): Llm {
  const id = parseUuid(place.options.provider_connection_id ?? '');
  const usable = reaches(place) ? [] : connections;
  const found = usable.find(
    ({ id: other, baseUrl, provider }) =>
      other === id && (baseUrl !== null || (model !== null && provider === providerOf(model))),
  );
  return found === undefined ? place : { ...place, baseUrl: found.baseUrl, apiKey: found.apiKey };
}

/** The address and key of the organization's connection to the provider of a model. */
function connectionFor(connections: readonly Connection[], model: string | null): Llm {
  const provider = model === null ? null : providerOf(model);
  const found = connections.find((connection) => connection.provider === provider);
  return found === undefined ? NO_LLM : { ...NO_LLM, baseUrl: found.baseUrl, apiKey: found.apiKey };
}

/** Whether a model has its address and key from one of some places. */
function isKeyOf(llm: Llm, places: readonly Llm[]): boolean {
  const { baseUrl, apiKey } = composeLlm(places);
  return apiKey !== null && apiKey === llm.apiKey && baseUrl === llm.baseUrl;
}

function ownLlm({ llmModel, llmBaseUrl, llmApiKey, llmOptions }: AgentSettings): Llm {
  return { model: llmModel, baseUrl: llmBaseUrl, apiKey: llmApiKey, options: llmOptions };
}
