import type { SettingsSchema } from './settings-schema.dto';
/** The settings of agents. */
export declare const AGENT_SCHEMA: SettingsSchema;
/** The settings of conversations. */
export declare const CONVERSATION_SCHEMA: SettingsSchema;
