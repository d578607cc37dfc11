import { Success } from '../../http';
import { ConnectionPath, ConnectionsPath, ProviderConnection, ProviderConnectionCreate, ProviderConnectionList, ProviderConnectionUpdate } from './provider-connections.dto';
import { ProviderConnectionsService } from './provider-connections.service';
export declare class ProviderConnectionsController {
    private readonly connections;
    constructor(connections: ProviderConnectionsService);
    listProviderConnections(path: ConnectionsPath): Promise<ProviderConnectionList>;
    createProviderConnection(path: ConnectionsPath, body: ProviderConnectionCreate): Promise<ProviderConnection>;
    updateProviderConnection(path: ConnectionPath, body: ProviderConnectionUpdate): Promise<ProviderConnection>;
    deleteProviderConnection(path: ConnectionPath): Promise<Success>;
}
