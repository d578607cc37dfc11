import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type Caller, type OrgContext, personOf } from '../../../kernel/auth';
import { DomainEvents } from '../../../kernel/domain-events';
import { LlmProfilesRepository } from '../llm-profiles/llm-profiles.repository';
import { type AgentSettings, AgentSettingsRepository } from '../record/agent-settings.repository';
import { HeldSettings } from './held-settings';
import { updated } from './settings-update';
import type { UserSettings } from './user-settings.dto';
import type { UserSettingsUpdate } from './user-settings-update.dto';

/** Users' settings about the agents of their conversations (docs/contract.md#agent-settings). */
@Injectable()
export class UserSettingsService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly settings: AgentSettingsRepository,
    private readonly profiles: LlmProfilesRepository,
    private readonly held: HeldSettings,
    private readonly events: DomainEvents,
  ) {}

  /** The settings that apply to the caller in the organization, with its and the installation's defaults. */
  of(caller: Caller, org: OrgContext): Promise<UserSettings> {
    return this.held.of(personOf(caller, org));
  }

  /**
   * Saves an update: with a bound key for its organization, else for all organizations without settings of their own.
   * @returns the settings that now apply in the request's organization
   * @throws McpConfigInvalidError
   */
  async save(caller: Caller, org: OrgContext, update: UserSettingsUpdate): Promise<UserSettings> {
    const owner = { ...personOf(caller, org), orgId: caller.boundOrgId };
    await this.database.transaction(async (transaction) => {
      const { before, after } = await this.settings.change(transaction, owner, (present) =>
        updated(present, update),
      );
      const fields = changedFields(before, after);
      // Choosing a model explicitly deselects the active profile.
      if (fields.some((name) => name.startsWith('llm_'))) await this.profiles.deactivate(transaction, owner);
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
}

/** The API names of the settings that changed. */
function changedFields(before: AgentSettings, after: AgentSettings): string[] {
  return Object.keys(after)
    .filter((name) => !isDeepStrictEqual(Reflect.get(after, name), Reflect.get(before, name)))
    .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
