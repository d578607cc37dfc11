/** Measures how a server handles one path under load, and picks the best of several rounds. */
import { Pool } from 'undici';

/** The results of a measurement; times in milliseconds. */
export interface Measured {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** A load: the request, the server and the number of connections. */
export interface Load {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  /** In place of the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly connections: number;
  readonly seconds: number;
}

/** @throws Error when a response is not 200 */
export async function measure({ port, path, key, headers, connections, seconds }: Load): Promise<Measured> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const call = async (): Promise<void> => {
    const { statusCode, body } = await pool.request({
      path,
      method: 'GET',
      headers: headers ?? { 'x-access-token': key },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${statusCode} for ${path}: ${text}`);
  };
  await call();
  const times: number[] = [];
  const began = performance.now();
  const end = began + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const started = performance.now();
        await call();
        times.push(performance.now() - started);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1_000;
  await pool.close();
  return {
    requests: times.length,
    perSecond: round(times.length / elapsed),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/** The better of two rounds: other work on the machine only makes one slower. */
export function best(a: Measured | undefined, b: Measured): Measured {
  return a === undefined || b.perSecond > a.perSecond ? b : a;
}

/** The value below which this share of all is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.floor(sorted.length * share)] ?? NaN);
}

/** With two decimals. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
