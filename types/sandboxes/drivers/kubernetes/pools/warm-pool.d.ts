import type { Settings } from '../../../../config';
import type { SandboxHandle } from '../../../record/sandbox-driver';
import type { ClusterConnection } from '../connection';
import type { PodTemplate } from '../kubernetes-options';
/**
 * Sandboxes that are made ahead. One is claimed, its agent server is given the keys of the sandbox it becomes, and from then on
 * it is as any other: when it is resumed, it starts with its keys.
 */
export declare class WarmPool {
    private readonly settings;
    private readonly connection;
    private readonly namespace;
    private readonly template;
    private readonly log;
    private readonly awakening;
    /** Claims of this process that are under way: each takes one that is ready. */
    private claiming;
    private filledMs;
    constructor(settings: Settings, connection: ClusterConnection, namespace: string, template: PodTemplate);
    /** Has the cluster keep the pool filled, with pods as they would be made now. @throws ApiRefusal, ApiUnavailable */
    fill(): Promise<void>;
    /**
     * Makes one of the pool the sandbox, if one is ready.
     * @param pod the sandbox's own, for when it is resumed
     * @returns false where there is none, or it could not be used: nothing of it is left then
     */
    take(sandbox: SandboxHandle, pod: Readonly<Record<string, unknown>>): Promise<boolean>;
    /** Gives a claim up, and with it the sandbox that it was given; nothing happens where there is none. */
    release(id: string): Promise<void>;
    private remove;
    /** Where the cluster was away when the pool was to be made, or somebody deleted it. */
    private refill;
    private claim;
}
