import http from 'node:http';
import https from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { checkedLookup } from '../../../kernel/common';
import { WebhookAddresses } from './webhook-addresses';

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
export class CheckedAgents implements OnModuleDestroy {
  readonly http: http.Agent;
  readonly https: https.Agent;

  constructor(addresses: WebhookAddresses) {
    this.http = new CheckedHttpAgent(addresses);
    this.https = new CheckedHttpsAgent(addresses);
  }

  onModuleDestroy(): void {
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
