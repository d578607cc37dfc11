import { type AgentSettings } from '../record/agent-settings.repository';
import type { UserSettingsUpdate } from './user-settings.dto';
/**
 * The settings after an update: absent fields stay, null resets one.
 * @throws McpConfigInvalidError
 */
export declare function updated(before: AgentSettings, update: UserSettingsUpdate): AgentSettings;
