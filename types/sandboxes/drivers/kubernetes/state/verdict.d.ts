import { type Pod, type SandboxObject } from './cluster-objects';
/** What the objects of the cluster say of a sandbox. */
export interface Verdict {
    /** `stuck`: it is to run, and will not as it is; somebody has to suspend it. */
    readonly state: 'running' | 'stopped' | 'stuck';
    /** Why it does not run, or what it waits for. */
    readonly detail?: string;
}
/**
 * Whether a sandbox runs. One that is being scheduled, pulled, started, or made anew because its pod is gone, counts as running:
 * the cluster takes care of it.
 * @param pods its pods, the newest last
 */
export declare function verdictOf(sandbox: SandboxObject, pods: readonly Pod[]): Verdict;
/** The pod that counts; undefined while there is none. */
export declare function currentPod(pods: readonly Pod[]): Pod | undefined;
