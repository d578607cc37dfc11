import { Check, Column, Entity, Index } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../../kernel/database';
import { Owned } from '../../../accounts/owned-records';
import {
  MAX_BASE_URL,
  MAX_MODEL,
  MAX_SEALED_KEY_BYTES,
  MAX_SEALED_OPTIONS_BYTES,
} from '../model-settings/model-limits';
import { ProfileRow } from '../record/profiles.service';

/** A named model with its API, of a user or an organization. */
@Entity('llm_profiles')
@Index('llm_profiles_name_key', { synchronize: false })
@Index('llm_profiles_active_key', { synchronize: false })
@Owned('llm_profiles')
@Check('llm_profiles_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class LlmProfileRow extends ProfileRow {
  @Column('text')
  @MaxCharacters(MAX_MODEL)
  model!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_BASE_URL)
  baseUrl!: string | null;

  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_KEY_BYTES)
  sealedApiKey!: string | null;

  /** The other options of the model, with secrets among their values. */
  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_OPTIONS_BYTES)
  sealedOptions!: string | null;
}
