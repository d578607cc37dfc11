import type { LookupFunction } from 'node:net';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { buildConnector, Pool } from 'undici';
import {
  AllowedHosts,
  asIpAddress,
  CheckedHosts,
  HostProblem,
  isLocalName,
  PrivateHostError,
  SystemHostLookup,
} from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';

const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than the time after which providers, and what is in front of them, close connections. */
const KEEP_ALIVE_MS = 4_000;
/** From this many hosts on, those that nobody has called for a while are dropped. */
const SWEEP_FROM = 64;
const FORGET_AFTER_MS = 60_000;

/** Only hosts that the operator allows are called without encryption: a key would be read on the way. */
class UnencryptedHostError extends HostProblem {
  constructor(host: string) {
    super(`the host ${host} is called by https only`);
  }
}

interface Entry {
  readonly pool: Pool;
  lastUsedMs: number;
}

/**
 * Kept connections to providers of models. Addresses come from members and administrators: each connection goes to a checked
 * one, that is public or the operator's own choice (`LLM_BASE_URL`, `LLM_ALLOWED_HOSTS`).
 */
@Injectable()
export class ProviderConnections implements OnApplicationShutdown {
  private readonly hosts: CheckedHosts;
  private readonly entries = new Map<string, Entry>();

  constructor(@Inject(SETTINGS) settings: Settings) {
    const { LLM_ALLOWED_HOSTS, LLM_BASE_URL } = settings;
    const allowed = new AllowedHosts('LLM_ALLOWED_HOSTS', [...LLM_ALLOWED_HOSTS, ...hostIn(LLM_BASE_URL)]);
    this.hosts = new CheckedHosts(allowed, new SystemHostLookup());
  }

  /** The connections for an address. @throws HostProblem where nothing may be connected to it */
  poolFor(url: URL): Pool {
    const entry = this.entries.get(url.origin) ?? this.open(url);
    entry.lastUsedMs = performance.now();
    return entry.pool;
  }

  /** After calls were given the time to end. */
  async onApplicationShutdown(): Promise<void> {
    const pools = [...this.entries.values()].map(({ pool }) => pool.destroy());
    this.entries.clear();
    await Promise.all(pools);
  }

  private open(url: URL): Entry {
    this.sweep();
    const { hostname, protocol } = url;
    const port = portOf(url);
    if (!this.hosts.allows(hostname, port)) {
      if (protocol !== 'https:') throw new UnencryptedHostError(hostname);
      if (isLocalName(hostname)) throw new PrivateHostError(hostname);
    }
    const pool = new Pool(url.origin, {
      connect: this.connector(hostname, port),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // Each call has time limits of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const entry = { pool, lastUsedMs: 0 };
    this.entries.set(url.origin, entry);
    return entry;
  }

  /** Sockets do not look IP addresses up, so those are checked before. */
  private connector(hostname: string, port: number): buildConnector.connector {
    const lookup: LookupFunction = (_name, _options, callback) => {
      this.hosts.addressesOf(hostname, port).then(
        (addresses) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          ),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
      );
    };
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, autoSelectFamily: true });
    const literal = asIpAddress(hostname.replace(/^\[(.*)\]$/, '$1'));
    if (literal === null) return connect;
    return (options, callback) => {
      this.hosts.addressesOf(literal, port).then(
        () => connect(options, callback),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    };
  }

  private sweep(): void {
    if (this.entries.size < SWEEP_FROM) return;
    const before = performance.now() - FORGET_AFTER_MS;
    for (const [origin, { lastUsedMs, pool }] of this.entries) {
      if (lastUsedMs >= before || pool.stats.size > 0) continue;
      this.entries.delete(origin);
      void pool.close();
    }
  }
}

function hostIn(url: string | undefined): string[] {
  if (url === undefined) return [];
  const parsed = new URL(url);
  return [`${parsed.hostname}:${portOf(parsed)}`];
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
