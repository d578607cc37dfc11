import { StartError } from '../start-error';
import { asIpAddress } from './public-address';

interface AllowedHost {
  readonly host: string;
  /** Null for the default ports of http and https. */
  readonly port: number | null;
}

const ENTRY = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(?::(\d{1,5}))?$/i;

/** The hosts that the operator exempts from the public-address and https rules (settings named `*_ALLOWED_HOSTS`). */
export class AllowedHosts {
  private readonly hosts: readonly AllowedHost[];

  /**
   * @param setting its name, for the error
   * @throws StartError when an entry is no `host` or `host:port`
   */
  constructor(setting: string, entries: readonly string[]) {
    this.hosts = entries.map((entry) => {
      const [, host, port] = ENTRY.exec(entry) ?? [];
      if (host === undefined) throw new StartError(`${setting}: "${entry}" is no host or host:port.`);
      return { host: canonicalHost(host), port: port === undefined ? null : Number(port) };
    });
  }

  /** What is wrong with the entries of a setting, one line for each that is no host. */
  static problems(setting: string, entries: readonly string[]): string[] {
    return entries.flatMap((entry) => {
      try {
        new AllowedHosts(setting, [entry]);
        return [];
      } catch (error) {
        if (error instanceof StartError) return error.message;
        throw error;
      }
    });
  }

  /** True when the operator allows this host on this port; an entry without a port means 80 and 443. */
  allows(host: string, port: number): boolean {
    const wanted = canonicalHost(host);
    return this.hosts.some(
      (allowed) =>
        allowed.host === wanted &&
        (allowed.port === null ? port === 80 || port === 443 : allowed.port === port),
    );
  }
}

/**
 * The canonical form of a host: lower case, no brackets around IPv6, no trailing dot, an IP address in its usual
 * notation.
 */
export function canonicalHost(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return asIpAddress(name) ?? name;
}
