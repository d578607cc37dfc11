import { DataSource } from 'typeorm';
import type { Caller, OrgContext } from '../../auth';
import { DomainEvents } from '../../domain-events';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { AgentSettingsRepository } from '../record/agent-settings.repository';
import { HeldSettings } from './held-settings';
import type { UserSettings, UserSettingsUpdate } from './user-settings.dto';
/** Users' settings about the agents of their conversations (docs/contract.md#agent-settings). */
export declare class UserSettingsService {
    private readonly database;
    private readonly settings;
    private readonly profiles;
    private readonly held;
    private readonly events;
    constructor(database: DataSource, settings: AgentSettingsRepository, profiles: LlmProfilesRepository, held: HeldSettings, events: DomainEvents);
    /** The settings that apply to the caller in the organization, with its and the installation's defaults. */
    of({ userId }: Caller, { orgId }: OrgContext): Promise<UserSettings>;
    /**
     * Saves an update: with a bound key for its organization, else for all organizations without settings of their own.
     * @returns the settings that now apply in the request's organization
     * @throws McpConfigInvalidError
     */
    save(caller: Caller, org: OrgContext, update: UserSettingsUpdate): Promise<UserSettings>;
}
