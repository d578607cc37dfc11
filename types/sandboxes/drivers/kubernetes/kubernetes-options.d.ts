import type { Settings } from '../../../config';
/** What whoever operates the service wants of its pods, beyond sizes: see docs/kubernetes.md. */
export interface PodTemplate {
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly spec: Readonly<Record<string, unknown>>;
}
/** In which namespaces sandboxes are. */
export interface Namespaces {
    /** The one that all are in; null where each organization has one of its own. */
    readonly shared: string | null;
    /** @param orgId null where it is not known, which only a shared namespace bears */
    of(orgId: string | null): string;
    /** Whether objects of a namespace that say whose they are, or do not, can be the service's own. */
    has(namespace: string, orgId: string | null): boolean;
}
/** @param own the namespace that the service is in, or that its kubeconfig names */
export declare function namespacesOf({ KUBERNETES_NAMESPACE }: Pick<Settings, 'KUBERNETES_NAMESPACE'>, own: string): Namespaces;
/**
 * Reads the file of `KUBERNETES_POD_TEMPLATE`: a `PodTemplateSpec`, or the part of it that is to differ, in YAML or JSON.
 * @throws DriverError with what is wrong with it
 */
export declare function readPodTemplate(path: string | undefined): Promise<PodTemplate>;
