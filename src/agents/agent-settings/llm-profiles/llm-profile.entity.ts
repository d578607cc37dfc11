import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../../kernel/database';
import {
  MAX_BASE_URL,
  MAX_MODEL,
  MAX_SEALED_KEY_BYTES,
  MAX_SEALED_OPTIONS_BYTES,
} from '../model-settings/model-limits';
import { MAX_PROFILE_NAME } from '../record/text-limits';

/** A named model with its API, of a user or an organization. */
@Entity('llm_profiles')
@Index('llm_profiles_name_key', { synchronize: false })
@Index('llm_profiles_active_key', { synchronize: false })
@Index('llm_profiles_org_id', ['orgId'])
@ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], {
  name: 'llm_profiles_member_fkey',
  onDelete: 'CASCADE',
})
@Check('llm_profiles_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class LlmProfileRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'llm_profiles_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'llm_profiles_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('text')
  @MaxCharacters(MAX_PROFILE_NAME)
  name!: string;

  @Column('text')
  @MaxCharacters(MAX_MODEL)
  model!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_BASE_URL)
  baseUrl!: string | null;

  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_KEY_BYTES)
  sealedApiKey!: string | null;

  /** What else is set about the model, which has secrets among its values. */
  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_OPTIONS_BYTES)
  sealedOptions!: string | null;

  /** Conversations of its owner run on it. */
  @Column('boolean', { default: false })
  isActive!: boolean;
}
