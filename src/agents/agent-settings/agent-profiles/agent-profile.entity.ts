import { Check, Column, Entity, Index } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { Owned } from '../../../accounts/owned-records';
import { ProfileRow } from '../record/profiles.service';
import { MAX_PROFILE_NAME } from '../record/text-limits';

/** A named agent of a user or an organization: the model profile it runs on. */
@Entity('agent_profiles')
@Index('agent_profiles_name_key', { synchronize: false })
@Index('agent_profiles_active_key', { synchronize: false })
@Owned('agent_profiles')
@Check('agent_profiles_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class AgentProfileRow extends ProfileRow {
  /** Name of a model profile; null for the owner's default model. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_PROFILE_NAME)
  llmProfileRef!: string | null;

  /** Incremented by each change. */
  @Column('integer', { default: 1 })
  revision!: number;
}
