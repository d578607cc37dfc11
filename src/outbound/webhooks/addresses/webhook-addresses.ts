import http from 'node:http';
import https from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  checkedLookup,
  CheckedHosts,
  HostProblem,
  isLocalName,
  PrivateHostError,
  UnknownHostError,
} from '../../../kernel/common';
import { MAX_URL } from '../record/limits';

/** Only hosts that the operator allows are called without encryption: callbacks carry what agents and people wrote. */
class UnencryptedHostError extends HostProblem {
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
      if (isLocalName(host)) throw new PrivateHostError(host);
    }
    return this.hosts.addressesOf(host, port);
  }
}

type Created = (error: Error | null, socket: Duplex) => void;

/**
 * Connections are kept for the next callback to the same host; several webhooks may share one. What is idle for four
 * seconds is closed: many servers close it after five, and one that never does would hold a descriptor for good.
 */
const OPTIONS = { keepAlive: true, maxFreeSockets: 32, autoSelectFamily: true, timeout: 4_000 };

/**
 * Agents for axios or node:http whose every connection goes to an address that was checked for it, so neither a name
 * that has another address by now (DNS rebinding) nor a redirect leads elsewhere. A refusal is an error of the request, a
 * `HostProblem` in its message. Whoever uses them turns proxies of the environment off.
 */
@Injectable()
export class CheckedAgents implements OnApplicationShutdown {
  readonly http: http.Agent;
  readonly https: https.Agent;

  constructor(addresses: WebhookAddresses) {
    this.http = new CheckedHttpAgent(addresses);
    this.https = new CheckedHttpsAgent(addresses);
  }

  /** After deliveries were given the time to end. */
  onApplicationShutdown(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

class CheckedHttpAgent extends http.Agent {
  constructor(private readonly addresses: WebhookAddresses) {
    super(OPTIONS);
  }

  override createConnection(options: http.ClientRequestArgs, created: Created): undefined {
    const addresses = this.addresses.addressesFor('http:', options.host ?? '', Number(options.port));
    void connectChecked(addresses, options, (to) => super.createConnection(to), created);
  }
}

class CheckedHttpsAgent extends https.Agent {
  constructor(private readonly addresses: WebhookAddresses) {
    super(OPTIONS);
  }

  override createConnection(options: https.RequestOptions, created: Created): undefined {
    const addresses = this.addresses.addressesFor('https:', options.host ?? '', Number(options.port));
    void connectChecked(addresses, options, (to) => super.createConnection(to), created);
  }
}

/** Connects to the checked addresses of the host; sockets do not look IP addresses up, so those are checked here too. */
async function connectChecked<Options extends http.ClientRequestArgs>(
  addresses: Promise<readonly string[]>,
  options: Options,
  connect: (options: Options) => Duplex | null | undefined,
  created: Created,
): Promise<void> {
  let socket: Duplex;
  try {
    socket = connect({ ...options, lookup: checkedLookup(await addresses) }) ?? new Socket();
  } catch (error) {
    created(error instanceof Error ? error : new Error(String(error)), new Socket());
    return;
  }
  created(null, socket);
}

/**
 * @returns what is wrong with the address of a webhook whatever its host, or null (docs/webhooks.md#addresses);
 *   {@link WebhookAddresses} judges the host
 */
export function urlProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'the address must be of https, as https://host/path';
  if (url.username !== '' || url.password !== '') return 'the address must not hold a user or password';
  if (text.includes('#')) return 'the address must not have a fragment';
  return url.href.length <= MAX_URL
    ? null
    : `the address must have at most ${MAX_URL} characters, with all that has to be escaped`;
}

/** The port that a connection for an address goes to. */
function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
