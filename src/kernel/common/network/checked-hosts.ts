import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { AllowedHosts, canonicalHost } from './allowed-hosts';
import { HostLookup } from './host-lookup';
import { asIpAddress, isPublicAddress } from './public-address';

/** Names that never lead to the public internet (RFC 6761, RFC 6762, RFC 8375), and those of one label. */
const LOCAL_NAME = /^[^.:]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/** Whether a host has a name that never leads to the public internet. */
export function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(canonicalHost(host));
}

/** The service does not connect to a host. `message` says why, without an address. */
export abstract class HostProblem extends Error {}

/** The host is at an address that is not of the public internet. */
export class PrivateHostError extends HostProblem {
  constructor(host: string) {
    super(`the host ${host} is not at a public address`);
  }
}

/** Nothing can be connected to at port 0. */
export class NoPortError extends HostProblem {
  constructor(host: string) {
    super(`the host ${host} has no port 0`);
  }
}

/** No name server knows an address of the host. */
export class UnknownHostError extends HostProblem {
  constructor(host: string) {
    super(`the host ${host} has no address`);
  }
}

/** Decides which addresses of hosts that users enter may be connected to. */
export class CheckedHosts {
  constructor(
    private readonly allowedHosts: AllowedHosts,
    private readonly lookup: HostLookup,
  ) {}

  /** True when the operator exempts the host from the rules for untrusted hosts. */
  allows(host: string, port: number): boolean {
    return this.allowedHosts.allows(host, port);
  }

  /**
   * The checked addresses of a host. Connections go to these only, so a different second answer of its name server
   * (DNS rebinding) has no effect.
   * @throws PrivateHostError when any of its addresses is not public; UnknownHostError when it has none; NoPortError for port 0
   */
  async addressesOf(host: string, port: number): Promise<readonly string[]> {
    const name = canonicalHost(host);
    if (port === 0) throw new NoPortError(name);
    const literal = asIpAddress(name);
    const isAllowed = this.allows(name, port);
    const addresses = literal === null ? await this.resolved(name, isAllowed) : [literal];
    if (!isAllowed && !addresses.every(isPublicAddress)) throw new PrivateHostError(name);
    return addresses;
  }

  private async resolved(name: string, isAllowed: boolean): Promise<readonly string[]> {
    const addresses = isAllowed ? await this.lookup.ofAllowed(name) : await this.lookup.ofUntrusted(name);
    if (addresses.length === 0) throw new UnknownHostError(name);
    return addresses;
  }
}

/** A lookup that answers with checked addresses, whatever it is asked for; for sockets with `autoSelectFamily`. */
export function checkedLookup(addresses: readonly string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, _options, callback) => callback(null, checked);
}
