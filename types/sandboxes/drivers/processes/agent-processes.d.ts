import { type Settings } from '../../../config';
import { type StartedServer } from '../../record/sandbox-driver';
import type { ControlFiles } from './control-files';
import type { HostFirewall } from '../firewall/host-firewall';
import { type Isolation } from '../isolation';
/** How a driver of processes differs from another. */
export interface ProcessDriverOptions {
    readonly name: string;
    readonly description: string;
    /** Program and arguments; host and port are added. */
    readonly command: readonly string[];
    /** Variables in addition to those that every agent server gets. */
    readonly environment: Readonly<Record<string, string>>;
    /**
     * What is done where sandboxes cannot have users of their own: `confined` for a program that can confine itself
     * (it gets `--own-user` where it need not), `refused` for one that cannot.
     */
    readonly withoutUsers: 'confined' | 'refused';
    /** Ends its processes when the service stops; else they run on. */
    readonly stopsWithService: boolean;
    readonly builtInModel: string | null;
    readonly operatorNote: string;
}
/** One agent server as it is to be started. */
export interface AgentProcess {
    /** Of its folder, its record and its log. */
    readonly id: string;
    /** Variables with its keys. */
    readonly keys: Readonly<Record<string, string>>;
    /** The port it had before, to be kept where that is possible. */
    readonly port: number | null;
    /** Whether no sandbox has it yet. */
    readonly isAhead: boolean;
    /** Called when it ends while this process lives. */
    readonly onExit: () => void;
}
/**
 * Starts agent servers as processes of this host, each with a folder (0700), a port, an environment and, where the service is
 * root, a user of its own.
 */
export declare class AgentProcesses {
    private readonly settings;
    private readonly options;
    private readonly files;
    private readonly firewall;
    private readonly places;
    private readonly mount;
    private found;
    constructor(settings: Settings, options: ProcessDriverOptions, files: ControlFiles, firewall: HostFirewall);
    /** Null where sandboxes must not run: see {@link NEEDS_ROOT}. */
    get isolation(): Isolation | null;
    /** Why they have no folder /workspace of their own; null where they have. */
    mountProblem(): Promise<string | null>;
    /** The first folder in the way of users without rights of their own. */
    closed(): string | null;
    /** Starts one in the folder of its id, as the user that it had before. @throws DriverError */
    start({ id, keys, port: portBefore, isAhead, onExit }: AgentProcess): Promise<StartedServer>;
    /** Where the conversations of a sandbox work: next to what its agent server stores for itself, not around it. */
    workingDirOf(id: string): string;
    private commandAt;
    /**
     * The folder, made whole before it has its name. One that exists is the sandbox's own: what it put there
     * (a link, for example) must not lead this process anywhere.
     */
    private openHome;
    private findIsolation;
    private confinement;
}
/** The user of this process; 0 where systems have none, and none is asked for. */
export declare function ownUid(): number;
