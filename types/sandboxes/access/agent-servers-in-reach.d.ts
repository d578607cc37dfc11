import { Repository } from 'typeorm';
import type { AgentServer } from '../../agent-server';
import type { Person } from '../../common';
import { SandboxDrivers } from '../drivers/sandbox-drivers';
import { Sandbox } from '../record/sandbox.entity';
import { AgentServers } from './agent-servers';
import { ExternalOrganization } from './external-organization.read-model';
/** Finds agent servers that may be asked what concerns no conversation. */
export declare class AgentServersInReach {
    private readonly sandboxes;
    private readonly agentServers;
    private readonly drivers;
    private readonly external;
    constructor(sandboxes: Repository<Sandbox>, agentServers: AgentServers, drivers: SandboxDrivers, external: ExternalOrganization);
    /**
     * The one that the person's new sandboxes will share; where each has its own, that of the person's newest running
     * sandbox. Never that of somebody else's: who owns it decides what it answers.
     * @returns null if there is none
     */
    of(person: Person): Promise<AgentServer | null>;
    private shared;
    private ofNewestSandbox;
}
