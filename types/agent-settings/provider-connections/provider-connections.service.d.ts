import { DataSource } from 'typeorm';
import { DomainEvents } from '../../domain-events';
import type { ProviderConnection, ProviderConnectionCreate, ProviderConnectionList, ProviderConnectionUpdate } from './provider-connections.dto';
import { ProviderConnectionsRepository } from './provider-connections.repository';
/** Connections per organization. */
export declare const MAX_CONNECTIONS = 50;
/** Connections of organizations to model providers (docs/contract.md#profiles). */
export declare class ProviderConnectionsService {
    private readonly database;
    private readonly connections;
    private readonly events;
    constructor(database: DataSource, connections: ProviderConnectionsRepository, events: DomainEvents);
    list(orgId: string): Promise<ProviderConnectionList>;
    /** @throws ConnectionExistsError, TooManyConnectionsError */
    create(orgId: string, given: ProviderConnectionCreate): Promise<ProviderConnection>;
    /** @throws ConnectionNotFoundError, ConnectionExistsError */
    update(orgId: string, id: string, given: ProviderConnectionUpdate): Promise<ProviderConnection>;
    /** @throws ConnectionNotFoundError */
    delete(orgId: string, id: string): Promise<void>;
    private change;
}
