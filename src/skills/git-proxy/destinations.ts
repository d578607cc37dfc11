import { AllowedHosts, canonicalHost } from '../registration/allowed-hosts';
import { RegistrationProblem } from '../registration/registration-problem';
import { HostLookup } from './host-lookup';
import { asIpAddress, isPublicAddress } from '../../common';

const HTTPS_PORT = 443;

/** Decides where git may connect to, at the moment it connects (docs/contract.md#marketplace-preview). */
export class Destinations {
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
   * @throws RegistrationProblem when the host has no address, or one that is not public
   */
  async addressesOf(host: string, port: number): Promise<readonly string[]> {
    const name = canonicalHost(host);
    const literal = asIpAddress(name);
    if (this.allows(name, port)) {
      return literal === null ? this.nonEmpty(name, await this.lookup.ofAllowed(name)) : [literal];
    }
    if (port !== HTTPS_PORT) throw new RegistrationProblem(`port ${port} is not allowed; https uses 443`);
    const addresses = literal === null ? this.nonEmpty(name, await this.lookup.ofUntrusted(name)) : [literal];
    if (!addresses.every(isPublicAddress))
      throw new RegistrationProblem(`the host ${name} is not at a public address`);
    return addresses;
  }

  private nonEmpty(name: string, addresses: readonly string[]): readonly string[] {
    if (addresses.length === 0) throw new RegistrationProblem(`the host ${name} has no address`);
    return addresses;
  }
}
