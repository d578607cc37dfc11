import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../kernel/database';
import { Owned } from '../owned-records';
import { MAX_DESCRIPTION, MAX_SEALED_BYTES, MAX_SECRET_NAME } from './secrets.dto';

/** A user's secret, for conversations in one organization or (`orgId` is null) in all. */
@Entity('user_secrets')
@Index('user_secrets_name_key', { synchronize: false })
@Owned('user_secrets')
export class UserSecret {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('uuid', { nullable: true })
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
