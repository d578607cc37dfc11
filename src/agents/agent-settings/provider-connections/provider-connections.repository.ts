import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { SecretBox } from '../../../kernel/common';
import type { SealedColumn } from '../../../kernel/database';
import { DomainEvents } from '../../../kernel/domain-events';
import { OwnedRecords } from '../../../accounts/owned-records';
import { ProviderConnectionRow } from './provider-connection.entity';

/** The column that stores the keys of provider connections. */
export const SEALED_CONNECTION_KEYS: SealedColumn = {
  table: 'provider_connections',
  column: 'sealed_api_key',
  contextOf: (id) => `provider-connection:${id}`,
};

/** A connection with its key decrypted. */
export type Connection = Omit<ProviderConnectionRow, 'sealedApiKey'> & { readonly apiKey: string | null };

/** Connections of organizations to model providers, with encrypted keys. */
@Injectable()
export class ProviderConnectionsRepository extends OwnedRecords<ProviderConnectionRow> {
  constructor(
    @InjectRepository(ProviderConnectionRow) stored: Repository<ProviderConnectionRow>,
    events: DomainEvents,
    private readonly box: SecretBox,
  ) {
    super(stored, events, 'provider_connections');
  }

  /** Ordered by provider. */
  async of(orgId: string, rows = this.stored): Promise<Connection[]> {
    const found = await rows.find({ where: { orgId }, order: { provider: 'ASC' } });
    return found.map(({ sealedApiKey, ...row }) => ({
      ...row,
      apiKey: this.box.open(sealedApiKey, SEALED_CONNECTION_KEYS.contextOf(row.id)),
    }));
  }

  /** Inserts a connection, or updates the one with its id. */
  async save(rows: Repository<ProviderConnectionRow>, { apiKey, ...connection }: Connection): Promise<void> {
    const sealedApiKey = this.box.seal(apiKey, SEALED_CONNECTION_KEYS.contextOf(connection.id));
    await rows.save({ ...connection, sealedApiKey });
  }
}
