import { Pool } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than the 5 s after which agent servers close idle connections, so that no call meets a closing one. */
const KEEP_ALIVE_MS = 3_000;
/** From this many servers on, those without a connection and a recent call are forgotten. */
const SWEEP_FROM = 64;
const FORGET_AFTER_MS = 60_000;

/** Where calls for one agent server go: its connections, and the path its routes start with. */
export interface Route {
  readonly baseUrl: string;
  readonly pool: Pool;
  readonly prefix: string;
}

interface Entry extends Route {
  lastUsedMs: number;
}

/** Kept-alive connections, one pool for each agent server (docs/decisions/0007-http-client-of-the-send-path.md). */
export class Connections {
  private readonly entries = new Map<string, Entry>();
  /** Retired pools whose calls have not ended yet. */
  private readonly closing = new Set<Pool>();

  /** @param maxPerServer parallel connections to one agent server; further calls wait for a free one */
  constructor(private readonly maxPerServer: number) {}

  /**
   * @param baseUrl `http://host:port`, possibly with a path before the routes
   * @throws TypeError when it is no http or https address
   */
  route(baseUrl: string): Route {
    let entry = this.entries.get(baseUrl);
    if (!entry) {
      this.sweep();
      entry = open(baseUrl, this.maxPerServer);
      this.entries.set(baseUrl, entry);
    }
    entry.lastUsedMs = performance.now();
    return entry;
  }

  /**
   * Stops using the present connections to a server: calls under way end, new calls connect anew. An agent
   * server resets its kept-alive connection after an unhandled 500, and the next call would hit that.
   */
  retire(route: Route): void {
    if (this.entries.get(route.baseUrl)?.pool !== route.pool) return;
    this.entries.delete(route.baseUrl);
    this.closing.add(route.pool);
    void route.pool.close().then(() => this.closing.delete(route.pool));
  }

  /** Closes everything; calls under way fail. */
  async destroy(): Promise<void> {
    const pools = [...this.closing, ...[...this.entries.values()].map(({ pool }) => pool)];
    this.entries.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private sweep(): void {
    if (this.entries.size < SWEEP_FROM) return;
    const before = performance.now() - FORGET_AFTER_MS;
    for (const entry of [...this.entries.values()]) {
      if (entry.lastUsedMs < before && entry.pool.stats.size === 0) this.retire(entry);
    }
  }
}

function open(baseUrl: string, connections: number): Entry {
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError('An agent server has an http or https address.');
  }
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Each call has a time limit of its own over the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { baseUrl, pool, prefix: url.pathname.replace(/\/+$/, ''), lastUsedMs: 0 };
}
