import { type EntityManager, Repository } from 'typeorm';
import { type Owner, type Person, SecretBox } from '../../common';
import { AgentSettingsRow } from './agent-settings.entity';
import { type McpConfig } from '../mcp/mcp-config';
type Sealed = 'sealedLlmApiKey' | 'sealedMcpConfig';
/** Settings with their secrets decrypted; null for what is not set. */
export type AgentSettings = Omit<AgentSettingsRow, 'id' | 'userId' | 'orgId' | Sealed> & {
    readonly llmApiKey: string | null;
    readonly mcpConfig: McpConfig;
};
/** The settings of a user who has saved none. */
export declare const UNSET: AgentSettings;
/** Users' agent settings, with encrypted model keys and MCP servers. */
export declare class AgentSettingsRepository {
    private readonly rows;
    private readonly box;
    constructor(rows: Repository<AgentSettingsRow>, box: SecretBox);
    /** The settings that apply to a user in an organization: those saved for it, else those for all. */
    ofPerson({ userId, orgId }: Person): Promise<AgentSettings>;
    /**
     * Changes settings, serialized per owner. The first change for an organization starts from the settings that applied
     * there before.
     * @param change computes the new settings from the current ones
     */
    change(transaction: EntityManager, owner: Owner & {
        readonly userId: string;
    }, change: (before: AgentSettings) => AgentSettings): Promise<{
        readonly before: AgentSettings;
        readonly after: AgentSettings;
    }>;
    private sealed;
    private opened;
}
export {};
