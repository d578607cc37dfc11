import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { type Owner, SecretBox, storableText } from '../../../kernel/common';
import { lockForTransaction, ownedBy } from '../../../kernel/database';
import type { ProfileFilter, ProfileStore } from '../record/profiles.service';
import { type ModelOptions, readOptions, writeOptions } from '../model-settings/llm-options';
import { SEALED_PROFILE_KEYS, SEALED_PROFILE_OPTIONS } from '../record/sealed-model-keys';
import { LlmProfileRow } from './llm-profile.entity';

/** A model profile with its secrets decrypted. */
export type LlmProfile = Omit<LlmProfileRow, 'sealedApiKey' | 'sealedOptions'> & {
  readonly apiKey: string | null;
  readonly options: ModelOptions;
};

/** Model profiles, with encrypted secrets. */
@Injectable()
export class LlmProfilesRepository implements ProfileStore<LlmProfile> {
  constructor(
    @InjectRepository(LlmProfileRow) private readonly profiles: Repository<LlmProfileRow>,
    private readonly box: SecretBox,
  ) {}

  async lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void> {
    await lockForTransaction(transaction, `llm-profiles:${userId ?? ''}:${orgId ?? ''}`);
  }

  async of(
    owners: readonly Owner[],
    { name, ...others }: ProfileFilter = {},
    transaction?: EntityManager,
  ): Promise<LlmProfile[]> {
    const where = { ...others, ...(name !== undefined && { name: storableText(name) }) };
    const found = await this.rows(transaction).findBy(
      owners.map((owner) => ({ ...ownedBy(owner), ...where })),
    );
    return found.map((row) => this.opened(row));
  }

  count(transaction: EntityManager, owner: Owner): Promise<number> {
    return this.rows(transaction).countBy(ownedBy(owner));
  }

  async save(transaction: EntityManager, { apiKey, options, ...profile }: LlmProfile): Promise<void> {
    const sealedApiKey =
      apiKey === null ? null : this.box.seal(apiKey, SEALED_PROFILE_KEYS.contextOf(profile.id));
    const written = writeOptions(options);
    const sealedOptions =
      written === null ? null : this.box.seal(written, SEALED_PROFILE_OPTIONS.contextOf(profile.id));
    await this.rows(transaction).save({ ...profile, sealedApiKey, sealedOptions });
  }

  /** Makes a profile its owner's active one; null for none. */
  async activate(transaction: EntityManager, owner: Owner, id: string | null): Promise<void> {
    const rows = this.rows(transaction);
    await rows.update({ ...ownedBy(owner), isActive: true }, { isActive: false });
    if (id !== null) await rows.update({ id }, { isActive: true });
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await this.rows(transaction).delete({ id });
  }

  private rows(transaction: EntityManager | undefined): Repository<LlmProfileRow> {
    return transaction?.withRepository(this.profiles) ?? this.profiles;
  }

  private opened({ sealedApiKey: sealed, sealedOptions: written, ...row }: LlmProfileRow): LlmProfile {
    const apiKey = sealed === null ? null : this.box.open(sealed, SEALED_PROFILE_KEYS.contextOf(row.id));
    const options =
      written === null ? {} : readOptions(this.box.open(written, SEALED_PROFILE_OPTIONS.contextOf(row.id)));
    return { ...row, apiKey, options };
  }
}
