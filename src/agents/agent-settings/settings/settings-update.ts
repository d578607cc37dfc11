import { storableText, unlessHidden } from '../../../kernel/common';
import { patchedMcp } from '../mcp/mcp-config';
import { type AgentSettings, UNSET } from '../record/agent-settings.repository';
import { namesAccess } from '../model-settings/llm-options';
import { accessAfter } from '../model-settings/model-access';
import { filled } from '../model-settings/model-fields';
import type { UserSettingsUpdate } from './user-settings-update.dto';

/**
 * The settings after an update: absent fields stay, null resets one.
 * @throws McpConfigInvalidError
 */
export function updated(before: AgentSettings, update: UserSettingsUpdate): AgentSettings {
  const conversation = update.conversation_settings_diff ?? {};
  const servers = update.agent_settings_diff?.mcp_config;
  return {
    ...llmAfter(before, update),
    ...condenserAfter(before, update),
    mcpConfig: servers === undefined ? before.mcpConfig : patchedMcp(before.mcpConfig, servers),
    confirmationMode: firstGiven(
      before.confirmationMode,
      conversation.confirmation_mode,
      update.confirmation_mode,
    ),
    securityAnalyzer: firstGiven(
      before.securityAnalyzer,
      conversation.security_analyzer,
      update.security_analyzer,
    ),
    maxIterations: firstGiven(before.maxIterations, conversation.max_iterations, update.max_iterations),
    language: text(before.language, update.language),
    disabledSkills: (firstGiven(before.disabledSkills, update.disabled_skills) ?? []).map(storableText),
    enableSoundNotifications:
      firstGiven(before.enableSoundNotifications, update.enable_sound_notifications) ??
      UNSET.enableSoundNotifications,
    gitUserName: text(before.gitUserName, update.git_user_name),
    gitUserEmail: text(before.gitUserEmail, update.git_user_email),
    userConsentsToAnalytics:
      firstGiven(before.userConsentsToAnalytics, update.user_consents_to_analytics) ??
      UNSET.userConsentsToAnalytics,
  };
}

/** Whether an update changes a key, or where one is sent: of the model, or of MCP servers. */
export function changesCredentials(update: UserSettingsUpdate): boolean {
  const { llm, mcp_config: servers } = update.agent_settings_diff ?? {};
  const keys = [llm?.api_key, update.llm_api_key].map(unlessHidden);
  const changed = [servers, ...keys, llm?.base_url, update.llm_base_url];
  if (llm === null || changed.some((value) => value !== undefined)) return true;
  return llm !== undefined && namesAccess(llm);
}

function llmAfter(
  before: AgentSettings,
  update: UserSettingsUpdate,
): Pick<AgentSettings, 'llmModel' | 'llmBaseUrl' | 'llmApiKey' | 'llmOptions'> {
  const diff = update.agent_settings_diff?.llm;
  const removed = diff === null ? null : undefined;
  const given = [diff?.api_key, update.llm_api_key, removed].find((key) => unlessHidden(key) !== undefined);
  const { baseUrl, apiKey, options } = accessAfter(
    {
      baseUrl: before.llmBaseUrl,
      apiKey: before.llmApiKey,
      options: diff === null ? {} : before.llmOptions,
    },
    {
      baseUrl: text(before.llmBaseUrl, diff?.base_url, update.llm_base_url, removed),
      apiKey: given,
      options: diff ?? {},
    },
  );
  return {
    llmModel: text(before.llmModel, diff?.model, update.llm_model, removed),
    llmBaseUrl: baseUrl,
    llmApiKey: apiKey,
    llmOptions: options,
  };
}

function condenserAfter(
  before: AgentSettings,
  update: UserSettingsUpdate,
): Pick<AgentSettings, 'condenserEnabled' | 'condenserMaxSize'> {
  const diff = update.agent_settings_diff?.condenser;
  const removed = diff === null ? null : undefined;
  return {
    condenserEnabled: firstGiven(
      before.condenserEnabled,
      diff?.enabled,
      update.enable_default_condenser,
      removed,
    ),
    condenserMaxSize: firstGiven(before.condenserMaxSize, diff?.max_size, update.condenser_max_size, removed),
  };
}

/** The first value that the request gives, else the current one. */
function firstGiven<Value>(before: Value, ...given: (Value | null | undefined)[]): Value | null {
  const first = given.find((value) => value !== undefined);
  return first === undefined ? before : first;
}

function text(before: string | null, ...given: (string | null | undefined)[]): string | null {
  const value = filled(firstGiven(before, ...given));
  return value === null ? null : storableText(value);
}
