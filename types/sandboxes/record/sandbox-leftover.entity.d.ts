/**
 * A sandbox whose process and folder may still be on its host: its row is gone, which a trigger records, or its
 * deletion was given up.
 */
export declare class SandboxLeftover {
    sandboxId: string;
    hostId: string;
    driver: string;
}
