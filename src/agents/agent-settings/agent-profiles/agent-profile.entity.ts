import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_PROFILE_NAME } from '../record/text-limits';

/** A named agent of a user or an organization: the model profile it runs on. */
@Entity('agent_profiles')
@Index('agent_profiles_name_key', { synchronize: false })
@Index('agent_profiles_active_key', { synchronize: false })
@Index('agent_profiles_org_id', ['orgId'])
@ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], {
  name: 'agent_profiles_member_fkey',
  onDelete: 'CASCADE',
})
@Check('agent_profiles_owned', 'user_id IS NOT NULL OR org_id IS NOT NULL')
export class AgentProfileRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('User', { name: 'agent_profiles_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'agent_profiles_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('text')
  @MaxCharacters(MAX_PROFILE_NAME)
  name!: string;

  /** Name of a model profile; null for the owner's default model. */
  @Column('text', { nullable: true })
  @MaxCharacters(MAX_PROFILE_NAME)
  llmProfileRef!: string | null;

  /** Incremented by each change. */
  @Column('integer', { default: 1 })
  revision!: number;

  /** New conversations of its owner start with it. */
  @Column('boolean', { default: false })
  isActive!: boolean;
}
