import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import {
  newId,
  nearestFirst,
  type Owner,
  ownOwnersFor,
  type Person,
  SecretBox,
} from '../../../kernel/common';
import { lockForTransaction, ownedBy, type SealedColumn } from '../../../kernel/database';
import { AgentSettingsRow } from './agent-settings.entity';
import { type McpConfig, mcpConfig } from '../mcp/mcp-config';
import { type ModelOptions, readOptions, writeOptions } from '../model-settings/llm-options';

/** The column that stores the keys of users' own models. */
export const SEALED_SETTINGS_KEYS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_llm_api_key',
  contextOf: (id) => `agent-settings:${id}`,
};

/** The column that stores the other settings of users' own models. */
export const SEALED_SETTINGS_OPTIONS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_llm_options',
  contextOf: (id) => `agent-settings-options:${id}`,
};

/** Where the MCP servers of users are kept. */
export const SEALED_MCP_CONFIGS: SealedColumn = {
  table: 'agent_settings',
  column: 'sealed_mcp_config',
  contextOf: (id) => `agent-settings-mcp:${id}`,
};

type Sealed = 'sealedLlmApiKey' | 'sealedLlmOptions' | 'sealedMcpConfig';

/** Settings with their secrets decrypted; null where nothing is set. */
export type AgentSettings = Omit<AgentSettingsRow, 'id' | 'userId' | 'orgId' | Sealed> & {
  readonly llmApiKey: string | null;
  readonly llmOptions: ModelOptions;
  readonly mcpConfig: McpConfig;
};

/** The settings of a user who has saved none. */
export const UNSET: AgentSettings = {
  llmModel: null,
  llmBaseUrl: null,
  llmApiKey: null,
  llmOptions: {},
  condenserEnabled: null,
  condenserMaxSize: null,
  confirmationMode: null,
  securityAnalyzer: null,
  maxIterations: null,
  language: null,
  disabledSkills: [],
  enableSoundNotifications: true,
  gitUserName: null,
  gitUserEmail: null,
  userConsentsToAnalytics: false,
  mcpConfig: {},
};

/** Users' agent settings, with encrypted models and MCP servers. */
@Injectable()
export class AgentSettingsRepository {
  constructor(
    @InjectRepository(AgentSettingsRow) private readonly rows: Repository<AgentSettingsRow>,
    private readonly box: SecretBox,
  ) {}

  /** The settings that apply to a user in an organization: those saved for it, else those for all. */
  async ofPerson(person: Person): Promise<AgentSettings> {
    const rows = await this.rows.findBy(ownOwnersFor(person).map(ownedBy));
    return this.opened(rows.sort(nearestFirst)[0]);
  }

  /**
   * Changes settings, serialized per owner. The first change for an organization starts from the settings that applied
   * there before, and from none where those are out of reach.
   * @param change computes the new settings from the current ones
   */
  async change(
    transaction: EntityManager,
    { byLink, ...owner }: Owner & { readonly userId: string } & Pick<Person, 'byLink'>,
    change: (before: AgentSettings) => AgentSettings,
  ): Promise<{ readonly before: AgentSettings; readonly after: AgentSettings }> {
    await lockForTransaction(transaction, `agent-settings:${owner.userId}`);
    const rows = transaction.withRepository(this.rows);
    const own = await rows.findOneBy(ownedBy(owner));
    const inherited = own ?? (byLink ? null : await rows.findOneBy(ownedBy({ ...owner, orgId: null })));
    const before = this.opened(inherited ?? undefined);
    const after = change(before);
    const id = own?.id ?? newId();
    await rows.save({ ...this.sealed(id, after), ...owner, id });
    return { before, after };
  }

  private sealed(
    id: string,
    { llmApiKey: key, llmOptions, mcpConfig: servers, ...settings }: AgentSettings,
  ): Omit<AgentSettingsRow, 'id' | 'userId' | 'orgId'> {
    const hasServers = Object.keys(servers).length > 0;
    return {
      ...settings,
      sealedLlmApiKey: this.box.seal(key, SEALED_SETTINGS_KEYS.contextOf(id)),
      sealedLlmOptions: this.box.seal(writeOptions(llmOptions), SEALED_SETTINGS_OPTIONS.contextOf(id)),
      sealedMcpConfig: this.box.seal(
        hasServers ? JSON.stringify(servers) : null,
        SEALED_MCP_CONFIGS.contextOf(id),
      ),
    };
  }

  private opened(row: AgentSettingsRow | undefined): AgentSettings {
    if (row === undefined) return UNSET;
    const { sealedLlmApiKey: key, sealedLlmOptions: options, sealedMcpConfig: servers, ...settings } = row;
    const openedServers = this.box.open(servers, SEALED_MCP_CONFIGS.contextOf(row.id));
    return {
      ...settings,
      llmApiKey: this.box.open(key, SEALED_SETTINGS_KEYS.contextOf(row.id)),
      llmOptions: readOptions(this.box.open(options, SEALED_SETTINGS_OPTIONS.contextOf(row.id))),
      mcpConfig: openedServers === null ? {} : mcpConfig.parse(JSON.parse(openedServers)),
    };
  }
}
