import { Pool, type PoolConfig } from 'pg';

/**
 * Opens a pool whose connections may break at any time: the next query on one notices it. Without listeners an
 * idle connection that breaks would end the process, and so would one that is in use between two queries.
 * @param onLoss hears of each connection that broke; told twice of one that broke while idle
 */
export function openPool(config: PoolConfig, onLoss: (error: unknown) => void = () => undefined): Pool {
  const pool = new Pool(config);
  pool.on('error', onLoss);
  pool.on('connect', (client) => client.on('error', onLoss));
  return pool;
}
