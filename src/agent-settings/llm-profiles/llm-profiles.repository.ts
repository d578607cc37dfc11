import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { type Owner, SecretBox, storableText } from '../../common';
import { lockForTransaction, ownedBy } from '../../database';
import { SEALED_PROFILE_KEYS } from '../record/sealed-model-keys';
import { LlmProfileRow } from './llm-profile.entity';

/** A model profile with its key as it is. */
export type LlmProfile = Omit<LlmProfileRow, 'sealedApiKey'> & { readonly apiKey: string | null };

/** Model profiles, their keys encrypted. */
@Injectable()
export class LlmProfilesRepository {
  constructor(
    @InjectRepository(LlmProfileRow) private readonly profiles: Repository<LlmProfileRow>,
    private readonly box: SecretBox,
  ) {}

  /** Has changes of an owner's profiles follow one another. */
  async lock(transaction: EntityManager, { userId, orgId }: Owner): Promise<void> {
    await lockForTransaction(transaction, `llm-profiles:${userId ?? ''}:${orgId ?? ''}`);
  }

  /** @param where by name, or only the active ones */
  async of(
    owners: readonly Owner[],
    { name, ...others }: { readonly name?: string; readonly isActive?: true } = {},
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

  /** Adds a profile, or changes the one with its id. */
  async save(transaction: EntityManager, { apiKey, ...profile }: LlmProfile): Promise<void> {
    const sealedApiKey =
      apiKey === null ? null : this.box.seal(apiKey, SEALED_PROFILE_KEYS.contextOf(profile.id));
    await this.rows(transaction).save({ ...profile, sealedApiKey });
  }

  /** Makes a profile the active one of its owner; null for none. */
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

  private opened({ sealedApiKey: sealed, ...row }: LlmProfileRow): LlmProfile {
    const apiKey = sealed === null ? null : this.box.open(sealed, SEALED_PROFILE_KEYS.contextOf(row.id));
    return { ...row, apiKey };
  }
}
