/**
 * The service in a process of its own, which counts its SQL statements. Takes its settings as argument; reports its
 * port over IPC, and the number of statements so far on request.
 */
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { z } from 'zod';
import { createApp } from '../../src/app.setup';
import { readSettings } from '../../src/kernel/config';
import { NO_EXTENSIONS } from '../../src/operations/extensions';
import { UNLIMITED } from '../unlimited';

let statements = 0;
const query = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value as (
  ...args: unknown[]
) => unknown;
Client.prototype.query = function (this: Client, ...args: unknown[]): unknown {
  statements++;
  return query.apply(this, args);
} as typeof Client.prototype.query;

async function main(): Promise<void> {
  const env = z.record(z.string(), z.string()).parse(JSON.parse(process.argv[2] ?? ''));
  const app = await createApp({
    settings: readSettings({ LOG_LEVEL: 'error', ...UNLIMITED, ...env }),
    databaseUrl: env.DATABASE_URL ?? '',
    secretKey: env.SECRET_KEY ?? '',
    hostId: 'bench',
    extensions: NO_EXTENSIONS,
  });
  await app.listen(0, '127.0.0.1');
  process.on('message', () => process.send?.(statements));
  process.on('disconnect', () => void app.close().then(() => process.exit(0)));
  process.send?.((app.getHttpServer().address() as AddressInfo).port);
}

void main();
