import type { Pod, SandboxClaim, SandboxObject } from './cluster-objects';
interface Labelled {
    readonly labels: Readonly<Record<string, string>>;
}
/** One of these. */
interface OneObject {
    readonly sandbox?: SandboxObject;
    readonly pod?: Pod;
    readonly claim?: SandboxClaim;
}
/** What the watches say of the sandboxes, by their ids: questions about them are answered from memory. */
export declare class SandboxObjects {
    private readonly listener;
    private readonly sandboxes;
    private readonly pods;
    private readonly claims;
    private readonly waiting;
    /** @param listener is called with the id of a sandbox of which something changed */
    constructor(listener?: (sandboxId: string) => void);
    /** @param namespace where it is; where it is not known, the first of all that say that they are this one */
    sandbox(id: string, namespace?: string): SandboxObject | undefined;
    claim(id: string): SandboxClaim | undefined;
    /**
     * A pod that ends and the one that takes its place are both there for a moment. Those of another sandbox do not count that
     * was made ahead, claimed for this one, and given up.
     */
    podsOf(id: string, namespace?: string): readonly Pod[];
    /** The ids of those sandboxes, claimed ones among them, for whose labels a question is answered with yes. */
    idsOf(question: (labels: Labelled['labels']) => boolean): string[];
    /** Pods that belong to no sandbox of the service yet: those of the warm pool. */
    unclaimedPods(): readonly Pod[];
    /** What a watch, or an answer to a call, says of an object; an older state than the known one changes nothing. */
    put({ sandbox, pod, claim }: OneObject): void;
    /** An object is gone. */
    remove({ sandbox, pod, claim }: OneObject): void;
    /** These, and no others, are there. */
    replace(objects: {
        sandboxes: readonly SandboxObject[];
    } | {
        pods: readonly Pod[];
    } | {
        claims: readonly SandboxClaim[];
    }): void;
    /**
     * Waits for something to become true of the objects.
     * @returns what the question answered, or null when that was nothing until the time was over
     */
    when<Result>(question: () => Result | null, withinMs: number): Promise<Result | null>;
    private changed;
    private notify;
}
export {};
