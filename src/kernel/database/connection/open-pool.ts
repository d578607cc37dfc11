import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { ReportingClient, endReadOnly } from './read-only-connections';

/** Gives a connection back; with an error, to be closed. */
type Release = (error?: Error | boolean) => void;

type ConnectCallback = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;

/** All that this process has opened and not ended. */
const pools = new Set<ServicePool>();

/**
 * Keeps no connection whose session is read-only. Takes a connection back once, however often who got it by a callback
 * gives it back: the job library does so twice when its connection breaks while a worker ends, in a promise that
 * nobody waits for.
 */
export class ServicePool extends Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: ReportingClient });
    this.on('release', endReadOnly);
    pools.add(this);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback === undefined) return super.connect();
    super.connect((error, client, release) => callback(error, client, once(release)));
  }
}

/**
 * Opens a pool whose connections may break at any time: the next query on one notices it.
 * @param onLoss called for each connection that broke; twice for one that broke while idle
 */
export function openPool(config: PoolConfig, onLoss: (error: unknown) => void = () => undefined): Pool {
  const pool = new ServicePool(config);
  pool.on('error', onLoss);
  pool.on('connect', (client) => client.on('error', onLoss));
  return pool;
}

/** The pools of this process, for metrics; each says in its options by which name the database knows its connections. */
export function openPools(): readonly Pool[] {
  for (const pool of pools) if (pool.ending) pools.delete(pool);
  return [...pools];
}

function once(release: Release): Release {
  let isReleased = false;
  return (error) => {
    if (isReleased) return;
    isReleased = true;
    release(error);
  };
}
