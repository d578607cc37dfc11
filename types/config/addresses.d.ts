import type { Settings } from './settings';
/** How people reach the service, without a slash at the end. */
export declare function publicUrl({ PUBLIC_URL, HOST, PORT }: Settings): string;
/** How sandboxes reach the service, without a slash at the end. */
export declare function callbackUrl(settings: Settings): string;
/** How callers reach an agent server of this installation, without a slash at the end. */
export declare function sandboxUrl(settings: Settings, port: number): string;
/** As {@link sandboxUrl}, for all of them: with `{port}` in place of the port. */
export declare function sandboxUrlPattern({ SANDBOX_PUBLIC_URL, SANDBOX_HOST }: Settings): string;
/**
 * How this host is reached where something listens at an address: one that stands for all is reached by loopback's.
 * Never by the name `localhost`: it may lead to another address, and anyone of this host may listen there.
 */
export declare function reachable(host: string): string;
