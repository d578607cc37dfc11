import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MaxCharacters } from '../../../kernel/database';
import { MAX_SUBJECT } from './limits';

/** That somebody was known at a provider, and is no more: access tokens issued until then let nobody in. */
@Entity('ended_identities')
export class EndedIdentity {
  @PrimaryColumn('uuid')
  @ForeignKey('IdentityProvider', { name: 'ended_identities_provider_id_fkey', onDelete: 'CASCADE' })
  providerId!: string;

  @PrimaryColumn('text')
  @MaxCharacters(MAX_SUBJECT)
  subject!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  endedAt!: Date;

  /** Of the account, by which a directory knows who it was; null where that is not known. */
  @Column('text', { nullable: true })
  @MaxCharacters(320)
  email!: string | null;
}
