import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../kernel/database';
import { MAX_DESCRIPTION, MAX_SEALED_BYTES, MAX_SECRET_NAME } from './secret-rules';

/** A user's secret, for conversations in one organization or (`orgId` is null) in all. */
@Entity('user_secrets')
@Index('user_secrets_name_key', { synchronize: false })
@Index('user_secrets_org_id', ['orgId'])
@ForeignKey('OrgMember', ['orgId', 'userId'], ['orgId', 'userId'], {
  name: 'user_secrets_member_fkey',
  onDelete: 'CASCADE',
})
export class UserSecret {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('User', { name: 'user_secrets_user_id_fkey', onDelete: 'CASCADE' })
  userId!: string;

  @Column('uuid', { nullable: true })
  @ForeignKey('Organization', { name: 'user_secrets_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string | null;

  @Column('text')
  @MaxCharacters(MAX_SECRET_NAME)
  name!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_DESCRIPTION)
  description!: string | null;

  @Column('text')
  @MaxBytes(MAX_SEALED_BYTES)
  sealedValue!: string;
}
