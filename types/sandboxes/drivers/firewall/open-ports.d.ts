import { type Settings } from '../../../config';
import type { OpenPort } from './firewall-rules';
/**
 * What agents need of this host: the callback address, and what the operator names for them: the model, git hosts.
 */
export declare function openTcpPorts(settings: Settings): Promise<OpenPort[]>;
/** The name servers of this host, which may run on it. */
export declare function nameServers(): OpenPort[];
/** A name server as systems write it: an address, which may have a port. */
export declare function nameServerAt(server: string): OpenPort[];
/**
 * A port at what a host name or address stands for; nothing where it is not known. A name opens nothing where clouds answer
 * with credentials: who decides what it stands for is not who wrote the settings.
 */
export declare function portAt(host: string, port: number): Promise<OpenPort[]>;
