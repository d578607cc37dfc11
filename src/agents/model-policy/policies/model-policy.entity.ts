import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Role } from '../../../kernel/auth';

/** Patterns for each role that has some; the others have all that the organization has. */
export type ModelsByRole = Readonly<Partial<Record<Role, readonly string[]>>>;

/** Which models an organization may use. */
@Entity('model_policies')
@Check('model_policies_allowed_bytes', 'octet_length(allowed_models::text) <= 65536')
@Check('model_policies_by_role_bytes', 'octet_length(allowed_by_role::text) <= 200000')
@Check('model_policies_output', 'max_output_tokens BETWEEN 1 AND 10000000')
export class ModelPolicy {
  @PrimaryColumn('uuid')
  @ForeignKey('Organization', { name: 'model_policies_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** Patterns; none allows nothing, null allows what the installation does. */
  @Column('jsonb', {
    nullable: true,
    comment: 'patterns; none allows nothing, null allows what the installation does',
  })
  allowedModels!: readonly string[] | null;

  @Column('jsonb', { default: {}, comment: 'patterns for each role that may use fewer of them' })
  allowedByRole!: ModelsByRole;

  /** Of one answer; null for as many as the model has. */
  @Column('integer', { nullable: true })
  maxOutputTokens!: number | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
