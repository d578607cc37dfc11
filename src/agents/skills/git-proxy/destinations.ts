import { CheckedHosts, HostProblem } from '../../../kernel/common';
import { RegistrationProblem } from '../registration/registration-problem';

const HTTPS_PORT = 443;

/** Decides where git may connect to, at the moment it connects (docs/contract.md#marketplace-preview). */
export class Destinations {
  constructor(private readonly hosts: CheckedHosts) {}

  /** True when the operator exempts the host from the rules for untrusted hosts. */
  allows(host: string, port: number): boolean {
    return this.hosts.allows(host, port);
  }

  /**
   * The checked addresses of a host (see {@link CheckedHosts}).
   * @throws RegistrationProblem when the host has no address, or one that is not public
   */
  async addressesOf(host: string, port: number): Promise<readonly string[]> {
    if (port !== HTTPS_PORT && !this.allows(host, port))
      throw new RegistrationProblem(`port ${port} is not allowed; https uses 443`);
    try {
      return await this.hosts.addressesOf(host, port);
    } catch (error) {
      if (error instanceof HostProblem) throw new RegistrationProblem(error.message, { cause: error });
      throw error;
    }
  }
}
