import { type Settings } from '../../../../config';
/** Where the service's own pods are; null where it does not run in the cluster. */
export interface ServicePods {
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
}
/**
 * What sandboxes may reach, and who reaches them: the service alone, at the port of the agent server; and from them the
 * service's callback, names, and the internet. Not one another, nor anything else of the cluster.
 */
export declare function networkPolicy(namespace: string, settings: Settings, service: ServicePods | null): Record<string, unknown>;
/** Labels as in a selector: `name=value,name=value`. */
export declare function parseLabels(text: string): Record<string, string>;
