import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller, OrgContext } from '../../auth';
import { SETTINGS, type Settings } from '../../config';
import { DomainEvents } from '../../domain-events';
import { SandboxDrivers } from '../../sandboxes';
import { type AgentSettings, AgentSettingsRepository } from '../record/agent-settings.repository';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { ConversationAgents } from '../start/conversation-agents';
import { CONDENSER_MAX_SIZE } from '../start/condenser';
import { type Llm, shownAddress } from '../start/llm';
import { updated } from './settings-update';
import type { UserSettings, UserSettingsUpdate } from './user-settings.dto';

/** What users set about the agents of their conversations (docs/contract.md#agent-settings). */
@Injectable()
export class UserSettingsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly installation: Settings,
    private readonly settings: AgentSettingsRepository,
    private readonly profiles: LlmProfilesRepository,
    private readonly agents: ConversationAgents,
    private readonly drivers: SandboxDrivers,
    private readonly events: DomainEvents,
  ) {}

  /** What holds for the caller in the organization, with its and the installation's defaults. */
  async of({ userId }: Caller, { orgId }: OrgContext): Promise<UserSettings> {
    const { settings, llm } = await this.agents.forConversation({ userId, orgId }, { model: null });
    const { builtInModel } = this.drivers.current.capabilities;
    return toView(settings, { ...llm, model: llm.model ?? builtInModel }, this.hasKey(llm, builtInModel));
  }

  /**
   * Writes what an update names: with a bound key for its organization, else for all without settings of their own.
   * @returns what holds in the organization of the request now
   */
  async save(caller: Caller, org: OrgContext, update: UserSettingsUpdate): Promise<UserSettings> {
    const owner = { userId: caller.userId, orgId: caller.boundOrgId };
    await this.database.transaction(async (transaction) => {
      const { before, after } = await this.settings.change(transaction, owner, (present) =>
        updated(present, update),
      );
      const fields = changedFields(before, after);
      // Who chooses a model by hand does not want that of a profile.
      if (fields.some((name) => name.startsWith('llm_')))
        await this.profiles.activate(transaction, owner, null);
      if (fields.length > 0)
        await this.events.publish(transaction, {
          kind: 'settings.updated',
          org_id: owner.orgId,
          user_id: owner.userId,
          fields,
        });
    });
    return this.of(caller, org);
  }

  /** Whether conversations have a key for their model or need none: who names an address alone means it so. */
  private hasKey({ model, baseUrl, apiKey }: Llm, builtInModel: string | null): boolean {
    if (apiKey !== null || builtInModel !== null) return true;
    return model !== null && (baseUrl !== null || model === this.installation.LLM_MODEL);
  }
}

/** The names in the API of what has another value now. */
function changedFields(before: AgentSettings, after: AgentSettings): string[] {
  return Object.keys(after)
    .filter((name) => !isDeepStrictEqual(Reflect.get(after, name), Reflect.get(before, name)))
    .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function toView(settings: AgentSettings, llm: Llm, isKeySet: boolean): UserSettings {
  const address = llm.baseUrl === null ? null : shownAddress(llm.baseUrl);
  return {
    agent_settings: {
      agent_kind: 'openhands',
      llm: { model: llm.model, base_url: address },
      condenser: {
        enabled: settings.condenserEnabled ?? false,
        max_size: settings.condenserMaxSize ?? CONDENSER_MAX_SIZE,
      },
    },
    conversation_settings: {
      confirmation_mode: settings.confirmationMode ?? false,
      security_analyzer: settings.securityAnalyzer,
      max_iterations: settings.maxIterations,
    },
    llm_model: llm.model,
    llm_base_url: address,
    llm_api_key_set: isKeySet,
    search_api_key_set: false,
    provider_tokens_set: {},
    language: settings.language,
    disabled_skills: settings.disabledSkills,
    enable_sound_notifications: settings.enableSoundNotifications,
    git_user_name: settings.gitUserName,
    git_user_email: settings.gitUserEmail,
    title_llm_profile: null,
    user_consents_to_analytics: settings.userConsentsToAnalytics,
  };
}
