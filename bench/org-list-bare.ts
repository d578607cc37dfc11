/**
 * The bare server that the organization list is measured against: the rows of the same queries, with nothing
 * but `node:http` and `pg`. Its parent sends it the cases to serve; it reports its port.
 */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { type BareCase, bareCasesSchema } from './org-list-cases';

async function listen(databaseUrl: string, cases: readonly BareCase[]): Promise<number> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 5,
    options: '-c jit=off -c max_parallel_workers_per_gather=0',
  });
  const answer = async (url: string): Promise<string> => {
    let rows: unknown[] = [];
    for (const { sql, parameters, name } of cases.find(({ path }) => path === url)?.statements ?? [])
      ({ rows } = await pool.query({ text: sql, values: parameters, ...(name !== undefined && { name }) }));
    return JSON.stringify({ items: rows });
  };
  const server = createServer((request, response) => {
    answer(request.url ?? '').then(
      (text) => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        });
        response.end(text);
      },
      () => {
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

process.once('message', (message: unknown) => {
  const { databaseUrl, cases } = bareCasesSchema.parse(message);
  void listen(databaseUrl, cases).then((port) => process.send?.(port));
});
process.on('disconnect', () => process.exit());
