import type { SandboxHandle } from '../../../record/sandbox-driver';
/** The keys of a sandbox's agent server, as the file that it reads. */
export declare function keysSecret(sandbox: SandboxHandle, namespace: string): Record<string, unknown>;
