import { Injectable } from '@nestjs/common';
import { CheckedHosts, HostProblem, PrivateHostError, UnknownHostError } from '../../../kernel/common';
import { portOf } from './webhook-url';

/** Names that never lead to the public internet (RFC 6761, RFC 6762, RFC 8375), and those of one label. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/** Only hosts that the operator allows are called without encryption: callbacks carry what agents and people wrote. */
export class UnencryptedHostError extends HostProblem {
  constructor(host: string) {
    super(`the host ${host} is called by https only`);
  }
}

/** Decides where callbacks may go, when an address is saved and whenever a connection begins (docs/webhooks.md#addresses). */
@Injectable()
export class WebhookAddresses {
  constructor(private readonly hosts: CheckedHosts) {}

  /**
   * Judges an address that is to be saved.
   * @returns why it is refused, or null; a name without an address now is accepted, as it may have one later
   */
  async problemOf(url: URL): Promise<string | null> {
    try {
      await this.addressesFor(url.protocol, url.hostname, portOf(url));
      return null;
    } catch (error) {
      if (error instanceof UnknownHostError) return null;
      if (error instanceof HostProblem) return error.message;
      throw error;
    }
  }

  /**
   * The checked addresses that a connection may go to.
   * @param protocol with its colon
   * @throws UnencryptedHostError, PrivateHostError, UnknownHostError, NoPortError
   */
  async addressesFor(protocol: string, host: string, port: number): Promise<readonly string[]> {
    if (!this.hosts.allows(host, port)) {
      if (protocol !== 'https:') throw new UnencryptedHostError(host);
      const name = host.toLowerCase().replace(/\.$/, '');
      if (LOCAL_NAME.test(name) && !name.includes(':')) throw new PrivateHostError(host);
    }
    return this.hosts.addressesOf(host, port);
  }
}
