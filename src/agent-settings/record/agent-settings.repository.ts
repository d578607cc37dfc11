import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { newId, nearestFirst, type Owner, type Person, SecretBox } from '../../common';
import { lockForTransaction, ownedBy } from '../../database';
import { AgentSettingsRow } from './agent-settings.entity';
import { SEALED_SETTINGS_KEYS } from './sealed-model-keys';

/** Settings with the key as it is; what was never set is null. */
export type AgentSettings = Omit<AgentSettingsRow, 'id' | 'userId' | 'orgId' | 'sealedLlmApiKey'> & {
  readonly llmApiKey: string | null;
};

/** The settings of who has saved none. */
export const UNSET: AgentSettings = {
  llmModel: null,
  llmBaseUrl: null,
  llmApiKey: null,
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
};

/** Users' settings about agents, the key of their model encrypted. */
@Injectable()
export class AgentSettingsRepository {
  constructor(
    @InjectRepository(AgentSettingsRow) private readonly rows: Repository<AgentSettingsRow>,
    private readonly box: SecretBox,
  ) {}

  /** What holds for a user in an organization: saved for it, or else everywhere. */
  async ofPerson({ userId, orgId }: Person): Promise<AgentSettings> {
    const owners = [
      { userId, orgId },
      { userId, orgId: null },
    ];
    const rows = await this.rows.findBy(owners.map(ownedBy));
    return this.opened(rows.sort(nearestFirst)[0]);
  }

  /**
   * Changes settings, one change of an owner at a time. Where there are none yet for the organization, the change is
   * one of those that held there before.
   * @param change makes the new settings of the present ones
   */
  async change(
    transaction: EntityManager,
    owner: Owner & { readonly userId: string },
    change: (before: AgentSettings) => AgentSettings,
  ): Promise<{ readonly before: AgentSettings; readonly after: AgentSettings }> {
    await lockForTransaction(transaction, `agent-settings:${owner.userId}`);
    const rows = transaction.withRepository(this.rows);
    const own = await rows.findOneBy(ownedBy(owner));
    const inherited = own ?? (await rows.findOneBy(ownedBy({ ...owner, orgId: null })));
    const before = this.opened(inherited ?? undefined);
    const { llmApiKey, ...after } = change(before);
    const id = own?.id ?? newId();
    const sealedLlmApiKey =
      llmApiKey === null ? null : this.box.seal(llmApiKey, SEALED_SETTINGS_KEYS.contextOf(id));
    await rows.save({ ...after, ...owner, id, sealedLlmApiKey });
    return { before, after: { ...after, llmApiKey } };
  }

  private opened(row: AgentSettingsRow | undefined): AgentSettings {
    if (row === undefined) return UNSET;
    const { sealedLlmApiKey: sealed, ...settings } = row;
    const llmApiKey = sealed === null ? null : this.box.open(sealed, SEALED_SETTINGS_KEYS.contextOf(row.id));
    return { ...settings, llmApiKey };
  }
}
