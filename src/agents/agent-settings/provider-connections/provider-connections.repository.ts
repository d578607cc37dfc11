import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { SecretBox } from '../../../kernel/common';
import { lockForTransaction } from '../../../kernel/database';
import { SEALED_CONNECTION_KEYS } from '../record/sealed-model-keys';
import { ProviderConnectionRow } from './provider-connection.entity';

/** A connection with its key decrypted. */
export type Connection = Omit<ProviderConnectionRow, 'sealedApiKey'> & { readonly apiKey: string | null };

/** Connections of organizations to model providers, with encrypted keys. */
@Injectable()
export class ProviderConnectionsRepository {
  constructor(
    @InjectRepository(ProviderConnectionRow) private readonly connections: Repository<ProviderConnectionRow>,
    private readonly box: SecretBox,
  ) {}

  /** Serializes changes to an organization's connections. */
  async lock(transaction: EntityManager, orgId: string): Promise<void> {
    await lockForTransaction(transaction, `provider-connections:${orgId}`);
  }

  /** Ordered by provider. */
  async of(orgId: string, transaction?: EntityManager): Promise<Connection[]> {
    const rows = await this.rows(transaction).find({ where: { orgId }, order: { provider: 'ASC' } });
    return rows.map((row) => this.opened(row));
  }

  /** Inserts a connection, or updates the one with its id. */
  async save(transaction: EntityManager, { apiKey, ...connection }: Connection): Promise<void> {
    const sealedApiKey =
      apiKey === null ? null : this.box.seal(apiKey, SEALED_CONNECTION_KEYS.contextOf(connection.id));
    await this.rows(transaction).save({ ...connection, sealedApiKey });
  }

  async delete(transaction: EntityManager, id: string): Promise<void> {
    await this.rows(transaction).delete({ id });
  }

  private rows(transaction: EntityManager | undefined): Repository<ProviderConnectionRow> {
    return transaction?.withRepository(this.connections) ?? this.connections;
  }

  private opened({ sealedApiKey: sealed, ...row }: ProviderConnectionRow): Connection {
    const apiKey = sealed === null ? null : this.box.open(sealed, SEALED_CONNECTION_KEYS.contextOf(row.id));
    return { ...row, apiKey };
  }
}
