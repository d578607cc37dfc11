import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MaxBytes, MaxCharacters } from '../../../kernel/database';
import { MAX_BASE_URL, MAX_SEALED_KEY_BYTES } from '../model-settings/model-limits';
import { MAX_PROVIDER } from '../record/text-limits';

/** How an organization reaches the API of a provider of models. */
@Entity('provider_connections')
@Index('provider_connections_org_provider_key', ['orgId', 'provider'], { unique: true })
export class ProviderConnectionRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Organization', { name: 'provider_connections_org_id_fkey', onDelete: 'CASCADE' })
  orgId!: string;

  /** The prefix of its models' names. */
  @Column('text')
  @MaxCharacters(MAX_PROVIDER)
  provider!: string;

  @Column('text', { nullable: true })
  @MaxCharacters(MAX_BASE_URL)
  baseUrl!: string | null;

  @Column('text', { nullable: true })
  @MaxBytes(MAX_SEALED_KEY_BYTES)
  sealedApiKey!: string | null;
}
