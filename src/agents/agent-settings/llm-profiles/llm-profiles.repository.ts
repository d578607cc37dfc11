import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { type Owner, SecretBox } from '../../../kernel/common';
import type { SealedColumn } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { type ModelOptions, readOptions, writeOptions } from '../model-settings/llm-options';
import { ProfilesRepository } from '../record/profiles.service';
import { LlmProfileRow } from './llm-profile.entity';

/** The column that stores the keys of model profiles. */
export const SEALED_PROFILE_KEYS: SealedColumn = {
  table: 'llm_profiles',
  column: 'sealed_api_key',
  contextOf: (id) => `llm-profile:${id}`,
};

/** The column that stores the other settings of model profiles. */
export const SEALED_PROFILE_OPTIONS: SealedColumn = {
  table: 'llm_profiles',
  column: 'sealed_options',
  contextOf: (id) => `llm-profile-options:${id}`,
};

/** A model profile with its secrets decrypted. */
export type LlmProfile = Omit<LlmProfileRow, 'sealedApiKey' | 'sealedOptions'> & {
  readonly apiKey: string | null;
  readonly options: ModelOptions;
};

/** Model profiles, with encrypted secrets. */
@Injectable()
export class LlmProfilesRepository extends ProfilesRepository<LlmProfileRow, LlmProfile> {
  constructor(
    @InjectRepository(LlmProfileRow) stored: Repository<LlmProfileRow>,
    events: DomainEvents,
    private readonly box: SecretBox,
  ) {
    super(stored, events, 'llm_profiles');
  }

  /** Leaves an owner without an active profile. */
  async deactivate(transaction: EntityManager, owner: Owner): Promise<void> {
    await this.activate(transaction.withRepository(this.stored), owner, null);
  }

  protected opened({ sealedApiKey, sealedOptions, ...row }: LlmProfileRow): LlmProfile {
    return {
      ...row,
      apiKey: this.box.open(sealedApiKey, SEALED_PROFILE_KEYS.contextOf(row.id)),
      options: readOptions(this.box.open(sealedOptions, SEALED_PROFILE_OPTIONS.contextOf(row.id))),
    };
  }

  protected sealed({ apiKey, options, ...profile }: LlmProfile): LlmProfileRow {
    return {
      ...profile,
      sealedApiKey: this.box.seal(apiKey, SEALED_PROFILE_KEYS.contextOf(profile.id)),
      sealedOptions: this.box.seal(writeOptions(options), SEALED_PROFILE_OPTIONS.contextOf(profile.id)),
    };
  }
}
