import { StartError } from '../../common';

interface AllowedHost {
  readonly host: string;
  /** Null for the default ports of http and https. */
  readonly port: number | null;
}

const ENTRY = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(?::(\d{1,5}))?$/i;

/** The hosts that the operator exempts from the public-address and https rules (`GIT_ALLOWED_HOSTS`). */
export class AllowedHosts {
  private readonly hosts: readonly AllowedHost[];

  /** @throws StartError when an entry is no `host` or `host:port` */
  constructor(entries: readonly string[]) {
    this.hosts = entries.map((entry) => {
      const [, host, port] = ENTRY.exec(entry) ?? [];
      if (host === undefined) throw new StartError(`GIT_ALLOWED_HOSTS: "${entry}" is no host or host:port.`);
      return { host: canonicalHost(host), port: port === undefined ? null : Number(port) };
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

/** The canonical form of a host: lower case, no brackets around IPv6, no trailing dot. */
export function canonicalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
