import { lookup, Resolver } from 'node:dns/promises';

/** Finds the addresses of hosts; a port, so that tests can answer what a hostile name server would. */
export abstract class HostLookup {
  /** Addresses of a host that anybody may have named; none when there are none. */
  abstract ofStranger(host: string): Promise<readonly string[]>;

  /** Addresses of a host that the operator allows, by all the means of this machine. */
  abstract ofAllowed(host: string): Promise<readonly string[]>;
}

/**
 * Asks name servers directly for strangers' hosts: the system's own lookup takes one of the process's four
 * file threads each time, and a slow name server of a stranger would hold up the whole service.
 */
export class SystemHostLookup extends HostLookup {
  private readonly resolver = new Resolver({ timeout: 2_000, tries: 2 });

  async ofStranger(host: string): Promise<readonly string[]> {
    const answers = await Promise.allSettled([this.resolver.resolve4(host), this.resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  async ofAllowed(host: string): Promise<readonly string[]> {
    try {
      return (await lookup(host, { all: true })).map(({ address }) => address);
    } catch {
      return [];
    }
  }
}
