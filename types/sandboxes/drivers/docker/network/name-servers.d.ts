import type { OpenPort } from '../../firewall/firewall-rules';
/** The name servers that an engine of this host gives to containers. */
export declare function nameServersOfContainers(ofHost?: readonly OpenPort[], file?: string): Promise<OpenPort[]>;
