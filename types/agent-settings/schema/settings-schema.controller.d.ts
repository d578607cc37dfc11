import { SettingsSchema } from './settings-schema.dto';
export declare class SettingsSchemaController {
    getAgentSettingsSchema(): SettingsSchema;
    getConversationSettingsSchema(): SettingsSchema;
}
