import { Check, Column, Entity, Index } from 'typeorm';
import { MaxBytes, MaxCharacters, MaxJsonBytes, OneOf } from '../../../kernel/database';
import { Owned, OwnedRecord } from '../../../accounts/owned-records';
import { SECURITY_ANALYZERS, type SecurityAnalyzer } from './security-analyzer';
import {
  MAX_BASE_URL,
  MAX_MODEL,
  MAX_SEALED_KEY_BYTES,
  MAX_SEALED_OPTIONS_BYTES,
} from '../model-settings/model-limits';
import {
  MAX_DISABLED_SKILLS_BYTES,
  MAX_GIT_EMAIL,
  MAX_GIT_NAME,
  MAX_LANGUAGE,
  MAX_SEALED_MCP_BYTES,
} from './text-limits';

/** Settings of a user, for all organizations or for one. Null: not set. */
@Entity('agent_settings')
@Index('agent_settings_owner_key', { synchronize: false })
@Owned('agent_settings')
@Check('agent_settings_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class AgentSettingsRow extends OwnedRecord {
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_MODEL)
  llmModel!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_BASE_URL)
  llmBaseUrl!: string | null;

  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_KEY_BYTES)
  sealedLlmApiKey!: string | null;

  /** The other options of the model, with secrets among their values. */
  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_OPTIONS_BYTES)
  sealedLlmOptions!: string | null;

  @Column('boolean', { nullable: true })
  condenserEnabled!: boolean | null;

  @Column('integer', { nullable: true })
  condenserMaxSize!: number | null;

  @Column('boolean', { nullable: true })
  confirmationMode!: boolean | null;

  @Column('text', { nullable: true })
  @OneOf(SECURITY_ANALYZERS)
  securityAnalyzer!: SecurityAnalyzer | null;

  @Column('integer', { nullable: true })
  maxIterations!: number | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_LANGUAGE)
  language!: string | null;

  @Column('jsonb', { default: [] })
  @MaxJsonBytes(MAX_DISABLED_SKILLS_BYTES)
  disabledSkills!: string[];

  @Column('boolean', { default: true })
  enableSoundNotifications!: boolean;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_GIT_NAME)
  gitUserName!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_GIT_EMAIL)
  gitUserEmail!: string | null;

  @Column('boolean', { default: false })
  userConsentsToAnalytics!: boolean;

  /** Servers with tools for agents, which have secrets among their values. */
  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_MCP_BYTES)
  sealedMcpConfig!: string | null;
}
