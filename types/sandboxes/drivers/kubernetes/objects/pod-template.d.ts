import type { Settings } from '../../../../config';
import type { PodTemplate } from '../kubernetes-options';
/** The container with the agent server. */
export declare const CONTAINER = "agent-server";
/** The port it listens on, in a pod with an address of its own. */
export declare const AGENT_SERVER_PORT = 8000;
/** The volume that is kept between runs, and where it is. */
export declare const WORKSPACE_VOLUME = "workspace";
export declare const WORKSPACE = "/workspace";
/** Where conversations work. */
export declare const WORKING_DIR = "/workspace/project";
/** The file of the Secret with the keys. */
export declare const KEY_FILE = "config.json";
/** What differs between sandboxes that start and those that are made ahead. */
export interface PodKind {
    readonly labels: Readonly<Record<string, string>>;
    readonly environment: readonly EnvironmentVariable[];
    /** With the file of the keys; null where they come later. */
    readonly secretName: string | null;
    /** Asks whether the agent server is up, so that the cluster knows when a pod can be given away. */
    readonly probed?: boolean;
}
/** A variable of a container. */
export type EnvironmentVariable = {
    readonly name: string;
    readonly value: string;
} | {
    readonly name: string;
    readonly valueFrom: Readonly<Record<string, unknown>>;
};
/**
 * The pod of a sandbox: with no rights and nothing of the cluster in it, unless the operator's template says otherwise; image,
 * sizes, keys and volumes as the service needs them.
 */
export declare function podTemplate(settings: Settings, own: PodTemplate, kind: PodKind): Record<string, unknown>;
