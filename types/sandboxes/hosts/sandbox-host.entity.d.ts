/** A host that runs sandboxes, and when its worker was last seen. */
export declare class SandboxHost {
    id: string;
    seenAt: Date;
}
