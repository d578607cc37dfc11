import { Inject, Injectable } from '@nestjs/common';
import { type Caller, type OrgContext, personOf } from '../../../kernel/auth';
import {
  clampLimit,
  ownersFor,
  type Page,
  PageIds,
  pageOf,
  type Person,
  searchText,
} from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { SandboxDrivers } from '../../../sandboxes/sandboxes';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ProviderConnectionsRepository } from '../provider-connections/provider-connections.service';
import { ConversationAgents } from '../start/conversation-agents';
import { providerOf } from '../start/llm';
import { ModelCatalogues } from './model-catalogues';
import type { ModelInfo, ModelSearch, ProviderInfo } from './models.dto';

const MODEL_PAGES = PageIds.byText('models');
const PROVIDER_PAGES = PageIds.byText('providers');

/**
 * The models configured for a user, and those that an agent server of theirs can call; both count as verified if they
 * are configured or if that server says so (docs/contract.md#profiles).
 */
@Injectable()
export class ModelsService {
  constructor(
    @Inject(SETTINGS) private readonly installation: Settings,
    private readonly agents: ConversationAgents,
    private readonly profiles: LlmProfilesRepository,
    private readonly connections: ProviderConnectionsRepository,
    private readonly drivers: SandboxDrivers,
    private readonly catalogues: ModelCatalogues,
  ) {}

  async models(caller: Caller, org: OrgContext, search: ModelSearch): Promise<Page<ModelInfo>> {
    const { builtInModel } = this.drivers.current.capabilities;
    const person = personOf(caller, org);
    const { llm } = await this.agents.forConversation(person, { model: null });
    const chosen = llm.model ?? builtInModel;
    const offered = await this.catalogues.offeredTo(person);
    const all = withConfigured(offered.models, await this.configured(person));
    const first = MODEL_PAGES.read(search.page_id) ?? '';
    const found = all.filter(
      (model) =>
        isWanted(model, search, first) &&
        (search.provider__eq ?? providerOf(model.name)) === providerOf(model.name),
    );
    const toInfo = ({ name, verified }: Listed): ModelInfo => {
      const provider = providerOf(name);
      return {
        provider,
        name: provider === null ? name : name.slice(provider.length + 1),
        verified,
        free: name === builtInModel,
        default: name === chosen,
      };
    };
    return pageOf(found, clampLimit(search.limit), toInfo, ({ name }) => MODEL_PAGES.write(name));
  }

  async providers(caller: Caller, org: OrgContext, search: ModelSearch): Promise<Page<ProviderInfo>> {
    const person = personOf(caller, org);
    const ofModels = (await this.configured(person)).flatMap((name) => providerOf(name) ?? []);
    const connected = (await this.connections.of(org.orgId)).map(({ provider }) => provider);
    const offered = await this.catalogues.offeredTo(person);
    const first = PROVIDER_PAGES.read(search.page_id) ?? '';
    const found = withConfigured(offered.providers, [...ofModels, ...connected]).filter((provider) =>
      isWanted(provider, search, first),
    );
    return pageOf(
      found,
      clampLimit(search.limit),
      (provider) => provider,
      ({ name }) => PROVIDER_PAGES.write(name),
    );
  }

  /** Names of models. */
  private async configured(person: Person): Promise<string[]> {
    const { builtInModel } = this.drivers.current.capabilities;
    const { settings } = await this.agents.forConversation(person, { model: null });
    const profiles = await this.profiles.of(ownersFor(person));
    const names = [
      this.installation.LLM_MODEL ?? builtInModel,
      settings.llmModel,
      ...profiles.map(({ model }) => model),
    ];
    return names.filter((name) => name !== null);
  }
}

interface Listed {
  readonly name: string;
  readonly verified: boolean;
}

/** Ordered by name. */
function withConfigured(offered: ReadonlyMap<string, boolean>, configured: readonly string[]): Listed[] {
  const all = new Map([...offered, ...configured.map((name) => [name, true] as const)]);
  return [...all].map(([name, verified]) => ({ name, verified })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isWanted(
  { name, verified }: Listed,
  { query = '', verified__eq: wanted = verified }: ModelSearch,
  first: string,
): boolean {
  return verified === wanted && name >= first && searchText(name).includes(searchText(query));
}
