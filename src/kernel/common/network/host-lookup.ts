import { lookup, Resolver } from 'node:dns/promises';

/** Resolves host names; a port, so that tests can answer like a hostile name server. */
export abstract class HostLookup {
  /** Addresses of a host that any user may have entered; empty when there are none. */
  abstract ofUntrusted(host: string): Promise<readonly string[]>;

  /** Addresses of a host that the operator allows, resolved as this machine is configured. */
  abstract ofAllowed(host: string): Promise<readonly string[]>;
}

/**
 * Queries name servers directly for untrusted hosts: the system's lookup blocks one of the four threads of libuv's
 * pool each time, so one slow name server could stall the whole service.
 */
export class SystemHostLookup extends HostLookup {
  private readonly resolver = new Resolver({ timeout: 2_000, tries: 2 });

  async ofUntrusted(host: string): Promise<readonly string[]> {
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
