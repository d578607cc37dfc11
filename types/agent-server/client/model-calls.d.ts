import { type CallOptions, type JsonCalls } from './json-calls';
import { type AgentServer } from './protocol';
/** The models that an agent server can call. */
export interface ServerModels {
    readonly providers: readonly string[];
    /** Most as `provider/name`, but not all that has a slash begins with a provider. */
    readonly models: readonly string[];
    /** Names of models known to work well, without the provider, by provider. */
    readonly verified: Readonly<Record<string, readonly string[]>>;
}
/** Asks agent servers for models. Errors are those of AgentServerClient. */
export declare class ModelCalls {
    private readonly calls;
    constructor(calls: JsonCalls);
    /** @throws AgentServerRefusedError by a server that has no such list */
    list(target: AgentServer, options?: CallOptions): Promise<ServerModels>;
    private get;
}
