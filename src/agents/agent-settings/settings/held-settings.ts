import { Inject, Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { ProviderCredentials } from '../../git-credentials';
import { SandboxDrivers } from '../../../sandboxes/sandboxes';
import { redactedMcp } from '../mcp/shown-mcp';
import type { AgentSettings } from '../record/agent-settings.repository';
import { shownOptions } from '../model-settings/llm-options';
import { CONDENSER_ENABLED, CONDENSER_MAX_SIZE } from '../start/condenser';
import { ConversationAgents } from '../start/conversation-agents';
import { type Llm, shownAddress } from '../start/llm';
import type { UserSettings } from './user-settings.dto';

type Shown = Pick<UserSettings, 'llm_api_key_set' | 'provider_tokens_set'>;

/** The effective settings of a user in an organization, without secrets (docs/contract.md#agent-settings). */
@Injectable()
export class HeldSettings {
  constructor(
    @Inject(SETTINGS) private readonly installation: Settings,
    private readonly agents: ConversationAgents,
    private readonly drivers: SandboxDrivers,
    private readonly gitCredentials: ProviderCredentials,
  ) {}

  /** Their own settings, with the defaults of the organization and the installation behind them. */
  async of(person: Person): Promise<UserSettings> {
    const { settings, llm } = await this.agents.forConversation(person, { model: null });
    const { builtInModel } = this.drivers.current.capabilities;
    return toView(
      settings,
      { ...llm, model: llm.model ?? builtInModel },
      {
        llm_api_key_set: this.hasKey(llm, builtInModel),
        provider_tokens_set: await this.gitCredentials.hosts(person),
      },
    );
  }

  /** Whether conversations have a key for their model or need none: who names an address alone means it so. */
  private hasKey({ model, baseUrl, apiKey }: Llm, builtInModel: string | null): boolean {
    if (apiKey !== null || builtInModel !== null) return true;
    return model !== null && (baseUrl !== null || model === this.installation.LLM_MODEL);
  }
}

function toView(settings: AgentSettings, llm: Llm, shown: Shown): UserSettings {
  const address = llm.baseUrl === null ? null : shownAddress(llm.baseUrl);
  const servers = redactedMcp(settings.mcpConfig);
  return {
    agent_settings: {
      agent_kind: 'openhands',
      llm: { ...shownOptions(llm.options), model: llm.model, base_url: address },
      condenser: {
        enabled: settings.condenserEnabled ?? CONDENSER_ENABLED,
        max_size: settings.condenserMaxSize ?? CONDENSER_MAX_SIZE,
      },
      mcp_config: servers,
    },
    conversation_settings: {
      confirmation_mode: settings.confirmationMode ?? false,
      security_analyzer: settings.securityAnalyzer,
      max_iterations: settings.maxIterations,
    },
    llm_model: llm.model,
    llm_base_url: address,
    ...shown,
    search_api_key_set: false,
    mcp_config: servers,
    language: settings.language,
    disabled_skills: settings.disabledSkills,
    enable_sound_notifications: settings.enableSoundNotifications,
    git_user_name: settings.gitUserName,
    git_user_email: settings.gitUserEmail,
    title_llm_profile: null,
    user_consents_to_analytics: settings.userConsentsToAnalytics,
  };
}
