import { CONDENSER_ENABLED, CONDENSER_MAX_SIZE } from '../start/condenser';
import { llmOptionFields } from './llm-option-fields';
import type { FieldOf, SettingsSchema } from './settings-schema.dto';

function section(key: string, label: string, fields: readonly FieldOf[]): SettingsSchema['sections'][number] {
  return {
    key,
    label,
    fields: fields.map((field) => ({
      section: key,
      section_label: label,
      default: null,
      choices: [],
      depends_on: [],
      prominence: 'major',
      secret: false,
      required: false,
      ...field,
    })),
  };
}

/** The settings of agents. */
export const AGENT_SCHEMA: SettingsSchema = {
  model_name: 'AgentSettings',
  sections: [
    section('llm', 'Model', [
      {
        key: 'llm.model',
        label: 'Model',
        description: 'Model that conversations run on, as provider/name.',
        value_type: 'string',
        prominence: 'critical',
      },
      {
        key: 'llm.api_key',
        label: 'API key',
        description: 'Key for its API.',
        value_type: 'string',
        prominence: 'critical',
        secret: true,
      },
      {
        key: 'llm.base_url',
        label: 'Base URL',
        description: 'Address of its API, where that is not the one of the provider.',
        value_type: 'string',
      },
      ...llmOptionFields(),
    ]),
    section('condenser', 'Condenser', [
      {
        key: 'condenser.enabled',
        label: 'Summarize long histories',
        description: 'Costs calls of the model, and keeps long conversations within its limits.',
        value_type: 'boolean',
        default: CONDENSER_ENABLED,
      },
      {
        key: 'condenser.max_size',
        label: 'Most events',
        description: 'Events of a history after which it is summarized.',
        value_type: 'integer',
        default: CONDENSER_MAX_SIZE,
        depends_on: ['condenser.enabled'],
        prominence: 'minor',
      },
    ]),
  ],
};

/** The settings of conversations. */
export const CONVERSATION_SCHEMA: SettingsSchema = {
  model_name: 'ConversationSettings',
  sections: [
    section('verification', 'Confirmation', [
      {
        key: 'confirmation_mode',
        label: 'Confirm actions',
        description: 'Actions wait until you confirm them.',
        value_type: 'boolean',
        default: false,
      },
      {
        key: 'security_analyzer',
        label: 'Risk',
        description: 'Who judges the risk of an action. With the model only risky actions wait.',
        value_type: 'string',
        choices: [
          { label: 'The model', value: 'llm' },
          { label: 'Nobody: all actions wait', value: 'none' },
        ],
        depends_on: ['confirmation_mode'],
      },
    ]),
    section('general', 'General', [
      {
        key: 'max_iterations',
        label: 'Most steps',
        description: 'Steps of one run after which the agent stops.',
        value_type: 'integer',
        prominence: 'minor',
      },
    ]),
  ],
};
