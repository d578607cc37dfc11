import {
  anything,
  boolean,
  dictionary,
  Field,
  ForbidExtraKeys,
  integer,
  list,
  literal,
  model,
  oneOf,
  string,
} from '../../../kernel/validation';
import { patchProblem } from '../mcp/mcp-config';
import { LlmOptions } from '../model-settings/llm-options.dto';
import { SECURITY_ANALYZERS, type SecurityAnalyzer } from '../record/security-analyzer';
import {
  MAX_DISABLED_SKILLS,
  MAX_GIT_EMAIL,
  MAX_GIT_NAME,
  MAX_LANGUAGE,
  MAX_SKILL_NAME,
} from '../record/text-limits';
import { baseUrl, modelKey, modelName } from '../model-settings/model-fields';

/** Changes to the model; null resets a field. */
@ForbidExtraKeys()
export class LlmSettingsDiff extends LlmOptions {
  @Field(modelName(), { optional: true, nullable: true, description: 'Model.', example: 'openai/gpt-5' })
  model?: string | null;

  @Field(baseUrl(), {
    optional: true,
    nullable: true,
    description: 'Base address of its API. With another host the key goes, unless one comes along.',
    example: 'https://models.example.com/v1',
  })
  base_url?: string | null;

  @Field(modelKey(), {
    optional: true,
    nullable: true,
    description: 'Key for that API. Kept encrypted; never answered.',
    example: 'sk-example',
  })
  api_key?: string | null;
}

/** Changes to the condenser; null resets a field. */
class CondenserSettingsDiff {
  @Field(boolean(), { optional: true, nullable: true, description: 'Whether long histories are summarized.' })
  enabled?: boolean | null;

  @Field(integer({ ge: 20, le: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'Events after which that happens.',
    example: 240,
  })
  max_size?: number | null;
}

/** Changes to the agent settings: a merge patch, in which null resets a field. */
class AgentSettingsDiff {
  @Field(literal('openhands'), { optional: true, nullable: true, description: 'The only kind there is.' })
  agent_kind?: 'openhands' | null;

  @Field(model(() => LlmSettingsDiff), { optional: true, nullable: true, description: 'The model.' })
  llm?: LlmSettingsDiff | null;

  @Field(model(() => CondenserSettingsDiff), {
    optional: true,
    nullable: true,
    description: 'How histories are shortened.',
  })
  condenser?: CondenserSettingsDiff | null;

  @Field(dictionary(anything(), { rule: patchProblem }), {
    optional: true,
    nullable: true,
    description:
      'Servers with tools for agents, by name: a merge patch too. Kept encrypted; a redacted value leaves the one that is there.',
    example: {
      tickets: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer example' } },
    },
  })
  mcp_config?: Record<string, unknown> | null;
}

/** Changes to the conversation settings; null resets a field. */
class ConversationSettingsDiff {
  @Field(boolean(), {
    optional: true,
    nullable: true,
    description: 'Whether actions wait for a confirmation.',
  })
  confirmation_mode?: boolean | null;

  @Field(oneOf(SECURITY_ANALYZERS), {
    optional: true,
    nullable: true,
    description: 'With `llm` only risky actions wait.',
  })
  security_analyzer?: SecurityAnalyzer | null;

  @Field(integer({ ge: 1, le: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'Most steps of one run.',
    example: 500,
  })
  max_iterations?: number | null;
}

/** Changes to a user's settings; absent fields stay (docs/contract.md#agent-settings). */
export class UserSettingsUpdate extends ConversationSettingsDiff {
  @Field(model(() => AgentSettingsDiff), { optional: true, nullable: true, description: 'A merge patch.' })
  agent_settings_diff?: AgentSettingsDiff | null;

  @Field(model(() => ConversationSettingsDiff), {
    optional: true,
    nullable: true,
    description: 'A merge patch.',
  })
  conversation_settings_diff?: ConversationSettingsDiff | null;

  @Field(modelName(), { optional: true, nullable: true, description: 'As `model` of the diff.' })
  llm_model?: string | null;

  @Field(baseUrl(), { optional: true, nullable: true, description: 'As `base_url` of the diff.' })
  llm_base_url?: string | null;

  @Field(modelKey(), { optional: true, nullable: true, description: 'As `api_key` of the diff.' })
  llm_api_key?: string | null;

  @Field(boolean(), { optional: true, nullable: true, description: 'As `enabled` of the condenser.' })
  enable_default_condenser?: boolean | null;

  @Field(integer({ ge: 20, le: 10_000 }), {
    optional: true,
    nullable: true,
    description: 'As `max_size` of the condenser.',
  })
  condenser_max_size?: number | null;

  @Field(string({ trim: true, maxLength: MAX_LANGUAGE }), {
    optional: true,
    nullable: true,
    description: 'Language of the interface.',
    example: 'en',
  })
  language?: string | null;

  @Field(list(string({ maxLength: MAX_SKILL_NAME }), { max: MAX_DISABLED_SKILLS }), {
    optional: true,
    nullable: true,
    description: 'Names of skills that conversations start without; null for none.',
  })
  disabled_skills?: string[] | null;

  @Field(boolean(), { optional: true, nullable: true, description: 'Whether the interface makes sounds.' })
  enable_sound_notifications?: boolean | null;

  @Field(string({ trim: true, maxLength: MAX_GIT_NAME }), {
    optional: true,
    nullable: true,
    description: 'Author of commits.',
    example: 'Robin',
  })
  git_user_name?: string | null;

  @Field(string({ trim: true, maxLength: MAX_GIT_EMAIL }), {
    optional: true,
    nullable: true,
    description: 'Address of the author.',
    example: 'member@example.com',
  })
  git_user_email?: string | null;

  @Field(boolean(), { optional: true, nullable: true, description: 'Whether you agree to be counted.' })
  user_consents_to_analytics?: boolean | null;
}
