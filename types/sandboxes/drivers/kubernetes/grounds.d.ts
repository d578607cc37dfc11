import type { Settings } from '../../../config';
import type { ClusterApi } from './cluster/cluster-api';
import { type ServicePods } from './objects/network-policies';
/**
 * Prepares namespaces for sandboxes, in every process, so that changed settings arrive there too; each at most once a minute.
 */
export declare class Grounds {
    private readonly settings;
    private readonly api;
    private readonly service;
    private readonly prepared;
    /** @param service where the service's own pods are; null where it does not run in the cluster */
    constructor(settings: Settings, api: ClusterApi, service: ServicePods | null);
    /** @param orgId the organization that alone has its sandboxes there; null for a namespace that others made */
    prepare(namespace: string, orgId: string | null): Promise<void>;
    /** Somebody deleted what was prepared: the next one makes it anew. */
    forget(namespace: string): void;
    private make;
    private makeNamespace;
}
