export declare class ConnectionsPath {
    org_id: string;
}
export declare class ConnectionPath extends ConnectionsPath {
    connection_id: string;
}
/** A connection to a provider of models, without its key. */
export declare class ProviderConnection {
    id: string;
    provider: string;
    base_url: string | null;
    api_key_set: boolean;
}
export declare class ProviderConnectionList {
    connections: ProviderConnection[];
}
export declare class ProviderConnectionCreate {
    provider: string;
    base_url?: string | null;
    api_key?: string | null;
}
export declare class ProviderConnectionUpdate {
    provider?: string;
    base_url?: string | null;
    api_key?: string | null;
}
