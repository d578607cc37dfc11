import type { Pod } from './cluster-objects';
/** Why a pod does not run: for good, until somebody starts it again, or for now. */
export interface PodProblem {
    readonly sentence: string;
    /** `ended`: the pod is over. `stuck`: it will not run as it is. `waiting`: it may run in a moment. */
    readonly kind: 'ended' | 'stuck' | 'waiting';
}
/**
 * What keeps a pod from running, as one sentence for whoever wanted the sandbox.
 * @returns null where nothing does
 */
export declare function problemOf(pod: Pod): PodProblem | null;
/** Somebody else's words, within a sentence. */
export declare function words(text: string): string;
