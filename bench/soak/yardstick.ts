import type { BareCase } from '../org-list-cases';
import { startBare } from '../org-list-processes';
import type { Installation } from './installation';

const ROWS = 100;

const read = 'SELECT n, md5(n::text) AS text FROM generate_series(1, 20) n';
const write = `UPDATE bench_yardstick SET value = value + 1
                WHERE id = (SELECT 1 + floor(random() * ${ROWS})::int)`;

const CASES: readonly BareCase[] = [
  { path: '/read', statements: [{ sql: read, parameters: [], name: 'read' }] },
  { path: '/write', statements: [{ sql: write, parameters: [], name: 'write' }] },
];

/** What the service is compared with: a bare server over the same database, whose requests cost the same for ever. */
export interface Yardstick {
  readonly pid: number | undefined;
  readonly url: string;
  /** Of twenty requests fourteen read, as of those to the service. */
  readonly paths: string[];
  readonly stop: () => void;
}

/** Starts the bare server, with a table of its own. */
export async function startYardstick({ db, postgres }: Installation): Promise<Yardstick> {
  await db.query(
    'CREATE TABLE bench_yardstick (id integer PRIMARY KEY, value integer) WITH (fillfactor = 50)',
  );
  await db.query(`INSERT INTO bench_yardstick SELECT n, 0 FROM generate_series(1, ${ROWS}) n`);
  const { port, pid, stop } = await startBare(postgres.url, CASES);
  const paths = [...Array<string>(7).fill('/read'), ...Array<string>(3).fill('/write')];
  return { pid, url: `http://127.0.0.1:${port}`, paths, stop };
}
