import type { SandboxObjects } from './sandbox-objects';
/** Tells what changes of a sandbox matter to the service from the many that do not. */
export declare class Changes {
    private readonly noticed;
    private readonly before;
    /** @param noticed is called with the id of a sandbox that ended, or has another pod now */
    constructor(noticed: (sandboxId: string) => void);
    /** Looks at a sandbox of which something changed. */
    look(id: string, objects: SandboxObjects): void;
}
