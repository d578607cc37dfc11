import { AgentServerClient } from '../../agent-server';
import { Clock, type Person } from '../../common';
import { AgentServersInReach } from '../../sandboxes';
/** What an agent server offers: whether it says that they work well, by name. */
export interface OfferedModels {
    /** By `provider/name`. */
    readonly models: ReadonlyMap<string, boolean>;
    readonly providers: ReadonlyMap<string, boolean>;
}
/** The models of agent servers, which know those of many providers (docs/contract.md#profiles). */
export declare class ModelCatalogues {
    private readonly servers;
    private readonly client;
    private readonly kept;
    constructor(servers: AgentServersInReach, client: AgentServerClient, clock: Clock);
    /** What an agent server of this person offers; nothing if none runs or answers. */
    offeredTo(person: Person): Promise<OfferedModels>;
    private ask;
}
