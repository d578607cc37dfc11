import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  UpdateDateColumn,
} from 'typeorm';
import { MaxCharacters, MaxJsonBytes, OneOf } from '../../../kernel/database';
import { EXECUTION_STATUSES, GIT_PROVIDERS, TRIGGERS } from './conversation.enums';
import {
  MAX_AGENT_KIND,
  MAX_BRANCH,
  MAX_MODEL,
  MAX_PULL_REQUESTS,
  MAX_REPOSITORY,
  MAX_TAGS_BYTES,
  MAX_TITLE,
} from './text-limits';

/** The progress of a start: until it is `ready`, the agent server does not know the conversation. */
type StartState = 'starting' | 'ready' | 'failed';

@Entity('conversations')
@Check('pr_number_length', `cardinality(pr_number) <= ${MAX_PULL_REQUESTS}`)
@Check('conversations_start_state', `start_state IN ('starting', 'ready', 'failed')`)
@Index('conversations_org_updated', { synchronize: false })
@Index('conversations_failed', { synchronize: false })
@Index('conversations_org_created', { synchronize: false })
@Index('conversations_org_cost', { synchronize: false })
@Index('conversations_org_model', { synchronize: false })
@Index('conversations_org_title', { synchronize: false })
@Index('conversations_title_trigrams', { synchronize: false })
@Index('conversations_tags', { synchronize: false })
@Index('conversations_user_created', { synchronize: false })
@Index('conversations_user_deleted', ['createdByUserId', 'id'], { where: 'deleted_at IS NOT NULL' })
@Index('conversations_sandbox', ['sandboxId'])
@Index('conversations_parent', { synchronize: false })
@Index('conversations_deleted', { synchronize: false })
@Index('conversations_expired', { synchronize: false })
export class Conversation {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'conversations_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'conversations_created_by_user_id_fkey', onDelete: 'CASCADE' })
  createdByUserId!: string;

  @Column('uuid', { nullable: true })
  parentConversationId!: string | null;

  @Column('uuid', { nullable: true })
  sandboxId!: string | null;

  @Column('boolean', {
    default: false,
    comment: 'the sandbox was made for this conversation and goes with it',
  })
  ownSandbox!: boolean;

  @Column('text')
  startState!: StartState;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_TITLE)
  title!: string | null;

  @Column({
    type: 'text',
    nullable: true,
    collation: 'C',
    select: false,
    insert: false,
    update: false,
    comment: 'the beginning of the title in lower case, kept by a trigger',
  })
  @MaxCharacters(255)
  sortTitle!: string | null;

  @Column({
    type: 'text',
    nullable: true,
    collation: 'C',
    select: false,
    insert: false,
    update: false,
    comment: 'the beginning of the model, kept by a trigger',
  })
  @MaxCharacters(255)
  sortModel!: string | null;

  @Column('text', {
    name: 'reported_title',
    nullable: true,
    comment: 'the last title the agent server reported: reporting it again changes nothing',
  })
  @MaxCharacters(MAX_TITLE, 'reported_title')
  reportedTitle!: string | null;

  @Column('text', {
    nullable: true,
    comment: 'the last title the agent server was given: its echo changes nothing',
  })
  @MaxCharacters(MAX_TITLE)
  forwardedTitle!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_MODEL)
  llmModel!: string | null;

  @Column('text', { default: 'openhands' })
  @MaxCharacters(MAX_AGENT_KIND)
  agentKind!: string;

  @Column('text', { nullable: true })
  @OneOf(EXECUTION_STATUSES)
  executionStatus!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_REPOSITORY)
  selectedRepository!: string | null;

  @Column({
    type: 'text',
    nullable: true,
    insert: false,
    update: false,
    comment:
      'the one it started with, empty for none, where selected_repository was changed since; kept by a trigger',
  })
  @MaxCharacters(MAX_REPOSITORY)
  startedRepository!: string | null;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_BRANCH)
  selectedBranch!: string | null;

  @Column('text', { nullable: true })
  @OneOf(GIT_PROVIDERS)
  gitProvider!: string | null;

  @Column('text', { nullable: true })
  @OneOf(TRIGGERS)
  trigger!: string | null;

  /** The driver gives 64-bit integers as text. */
  @Column('bigint', { array: true, default: [] })
  prNumber!: string[];

  @Column('boolean', { nullable: true })
  prMerged!: boolean | null;

  @Column('jsonb', { default: {} })
  @MaxJsonBytes(MAX_TAGS_BYTES)
  tags!: object;

  @Column('double precision', { default: 0 })
  accumulatedCost!: number;

  @Column('boolean', {
    default: false,
    comment:
      'its calls of models are in the ledger, from which its cost and tokens are, whatever its agent server reports',
  })
  metered!: boolean;

  @Column({
    type: 'numeric',
    array: true,
    nullable: true,
    select: false,
    insert: false,
    update: false,
    comment:
      'by how much its cost and tokens were more than its agent server reported when it last did so while it was metered',
  })
  beyondReports!: string[] | null;

  @Column('bigint', { default: 0 })
  promptTokens!: string;

  @Column('bigint', { default: 0 })
  completionTokens!: string;

  @Column('bigint', { default: 0 })
  cacheReadTokens!: string;

  @Column('bigint', { default: 0 })
  cacheWriteTokens!: string;

  @Column('bigint', { default: 0 })
  reasoningTokens!: string;

  /** Tokens that the model can be given at once; 0 while nothing was reported. */
  @Column('bigint', { default: 0 })
  contextWindow!: string;

  /** Tokens of the agent's last call of its model. */
  @Column('bigint', { default: 0 })
  perTurnTokens!: string;

  /** The cost limit that its agent server was given. */
  @Column('double precision', { nullable: true })
  maxBudgetPerTask!: number | null;

  /** The agent profile that it was started with, which may be gone. */
  @Column('uuid', { nullable: true })
  launchedProfileId!: string | null;

  @Column('integer', { nullable: true })
  launchedProfileRevision!: number | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'deleted ones are kept so that late calls of an agent server do not bring them back',
  })
  deletedAt!: Date | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'when it was decided to remove what the deleted one holds',
  })
  expiredAt!: Date | null;

  @Column({
    type: 'timestamptz',
    precision: 3,
    nullable: true,
    comment: 'when nothing was left of what the deleted one held',
  })
  emptiedAt!: Date | null;
}
