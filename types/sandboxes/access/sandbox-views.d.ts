import { type EntityManager, Repository } from 'typeorm';
import type { AgentServer } from '../../agent-server';
import { type Settings } from '../../config';
import { AgentServers } from './agent-servers';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { type SandboxAddress, SandboxReader, type SandboxRow, type SandboxRows, type SandboxView, type SharedServer, type SharedServers } from '../record/sandbox.ports';
import { SandboxKeys } from '../record/sandbox-keys';
import { Sandbox } from '../record/sandbox.entity';
/** Sandboxes as other modules see them. */
export declare class SandboxViews extends SandboxReader implements SandboxRows, SharedServers {
    private readonly settings;
    private readonly sandboxes;
    private readonly drivers;
    private readonly agentServers;
    private readonly keys;
    constructor(settings: Settings, sandboxes: Repository<Sandbox>, drivers: SandboxDrivers, agentServers: AgentServers, keys: SandboxKeys);
    byId(id: string): Promise<SandboxView | null>;
    byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SandboxView>>;
    viewOf(row: SandboxRow): SandboxView | null;
    conversationBaseOf(sandbox: SandboxAddress): string | null;
    private publicUrlOf;
    private doorOf;
    private addressesOf;
    sharedServerOf(transaction: EntityManager, id: string): Promise<(SharedServer & {
        readonly isSandboxDeleted: boolean;
    }) | null>;
    addressOfShared({ driver, baseUrl }: SharedServer): AgentServer | null;
    /** What of a view belongs into the record of a sandbox that was read already. */
    ofEntity(sandbox: Sandbox): Pick<SandboxView, 'publicUrl' | 'sessionApiKey'>;
}
