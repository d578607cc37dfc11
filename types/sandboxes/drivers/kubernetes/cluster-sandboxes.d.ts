import type { Settings } from '../../../config';
import { type SandboxHandle } from '../../record/sandbox-driver';
import type { ClusterAccess } from './cluster/cluster-access';
import { ClusterConnection } from './connection';
import { type Namespaces, type PodTemplate } from './kubernetes-options';
import { Grounds } from './grounds';
import { type Pod } from './state/cluster-objects';
import { type Verdict } from './state/verdict';
/**
 * Finds out whether a cluster can have sandboxes, and follows those that it has.
 * @param noticed is called with the id of a sandbox that ended, or has another pod now
 * @param counted is called with each answer of the API server
 * @throws DriverError with what is missing; ApiUnavailable
 */
export declare function openCluster(settings: Settings, access: ClusterAccess, noticed: (sandboxId: string) => void, counted?: (method: string, status: number) => void): Promise<ClusterSandboxes>;
/** The sandboxes of the service in one cluster. */
export declare class ClusterSandboxes {
    private readonly settings;
    readonly connection: ClusterConnection;
    readonly namespaces: Namespaces;
    private readonly template;
    private readonly grounds;
    private readonly pool;
    constructor(settings: Settings, connection: ClusterConnection, namespaces: Namespaces, template: PodTemplate, grounds: Grounds);
    /** Makes what sandboxes need in the cluster before there is one. */
    prepare(): Promise<void>;
    start(sandbox: SandboxHandle): Promise<void>;
    /** @throws DriverError when it is gone */
    resume(sandbox: SandboxHandle): Promise<void>;
    /**
     * Ends the pod and keeps the volume; nothing happens to one that is gone.
     * @param because a sentence, when it is not wanted but cannot run
     * @throws Error while the pod has not ended yet
     */
    suspend(handle: SandboxHandle, because: string): Promise<void>;
    delete(sandbox: SandboxHandle): Promise<void>;
    /** What the cluster says of a sandbox; null for one that it does not have. */
    verdict(sandbox: SandboxHandle): Promise<Verdict | null>;
    /** Its pods, the newest last. */
    podsOf(sandbox: SandboxHandle): readonly Pod[];
    close(): Promise<void>;
    /** Has a sandbox run that is there, with the pod that it would get now. */
    private run;
    /** From memory; what is not there is asked for, because a watch may be late. */
    private find;
    private prepareFor;
    /** Undefined where nothing but the id of a sandbox is known any more. */
    private namespaceOf;
    private applyKeys;
    private put;
}
