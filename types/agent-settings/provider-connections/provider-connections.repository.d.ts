import { type EntityManager, Repository } from 'typeorm';
import { SecretBox } from '../../common';
import { ProviderConnectionRow } from './provider-connection.entity';
/** A connection with its key decrypted. */
export type Connection = Omit<ProviderConnectionRow, 'sealedApiKey'> & {
    readonly apiKey: string | null;
};
/** Connections of organizations to model providers, with encrypted keys. */
export declare class ProviderConnectionsRepository {
    private readonly connections;
    private readonly box;
    constructor(connections: Repository<ProviderConnectionRow>, box: SecretBox);
    /** Serializes changes to an organization's connections. */
    lock(transaction: EntityManager, orgId: string): Promise<void>;
    /** Ordered by provider. */
    of(orgId: string, transaction?: EntityManager): Promise<Connection[]>;
    /** @returns null if the organization has none for the provider */
    forProvider(orgId: string, provider: string): Promise<Connection | null>;
    /** Inserts a connection, or updates the one with its id. */
    save(transaction: EntityManager, { apiKey, ...connection }: Connection): Promise<void>;
    delete(transaction: EntityManager, id: string): Promise<void>;
    private rows;
    private opened;
}
