/**
 * How long a directory takes to provision an organization over SCIM: people made, found again by their names, put into a group
 * with a role, found by it, paged through, and switched off; beside requests that only ask for one person. What grows with the
 * number of people shows in the first and the last tenth of a step. The service is a process of its own
 * with the embedded database. Measures the build: run `npm run build` first.
 *
 *   npm run bench -- scim [--people 10000] [--connections 4]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKey } from '../src/accounts/api-keys/keys/key-format';
import { freePort } from '../test/support/service/free-port';
import { ServiceProcess } from '../test/support/service/service-process';
import { options } from './options';
import { quantile } from './org-list-load';
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { people: PEOPLE, connections: CONNECTIONS } = options({ people: 10_000, connections: 4 });
const ASKED = Math.min(2_000, PEOPLE);
const FEW = Math.min(200, PEOPLE);
const PAGE = 200;

interface Resource {
  readonly id: string;
}

interface Found {
  readonly totalResults: number;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-scim-'));
  const key = newKey();
  const port = await freePort();
  const service = ServiceProcess.start({
    PORT: String(port),
    DATA_DIR: folder,
    BOOTSTRAP_KEY: key,
    LOG_LEVEL: 'info',
    ...UNLIMITED,
  });
  try {
    const url = await service.ready;
    const headers = { 'X-Access-Token': key, 'Content-Type': 'application/json' };
    const current = await fetch(`${url}/api/keys/current`, { headers });
    const { org_id: orgId } = (await current.json()) as { org_id: string };
    const organization = `${url}/api/organizations/${orgId}`;
    const body = JSON.stringify({ name: 'Measured' });
    const made = await fetch(`${organization}/scim-tokens`, { method: 'POST', headers, body });
    const { token } = (await made.json()) as { token: string };

    const send = async <Answer>(method: string, path: string, sent?: unknown): Promise<Answer> => {
      const response = await fetch(`${url}/scim/v2${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? null : JSON.parse(text)) as Answer;
    };
    const numbers = Array.from({ length: PEOPLE }, (_, n) => n);
    const ids: string[] = [];
    const create = await measureEach(numbers, async (n) => {
      const { id } = await send<Resource>('POST', '/Users', person(n));
      ids[n] = id;
    });
    const read = await measureEach(numbers.slice(0, ASKED), (n) => send('GET', `/Users/${ids[n]}`));
    const findBy = (attribute: string, count: number): Promise<Step> =>
      measureEach(numbers.slice(-count), async (n) => {
        const filter = encodeURIComponent(`${attribute} eq "person-${n}@example.com"`);
        const { totalResults } = await send<Found>('GET', `/Users?filter=${filter}`);
        if (totalResults !== 1) throw new Error(`Of ${attribute} there are ${totalResults}.`);
      });
    const find = await findBy('userName', ASKED);
    const findByAddress = await findBy('emails.value', FEW);
    const page = await measureEach(
      numbers.filter((n) => n % PAGE === 0),
      (n) => send('GET', `/Users?startIndex=${n + 1}&count=${PAGE}`),
    );
    const change = await measureEach(numbers.slice(-FEW), (n) => {
      const value = `Another ${n}`;
      return send('PATCH', `/Users/${ids[n]}`, {
        Operations: [{ op: 'replace', path: 'name.familyName', value }],
      });
    });
    const group = await send<Resource>('POST', '/Groups', { displayName: 'Everybody' });
    const patchGroup = (op: string, of: readonly string[]) =>
      send('PATCH', `/Groups/${group.id}`, {
        Operations: [{ op, path: 'members', value: of.map((value) => ({ value })) }],
      });
    const joinAtOnce = await milliseconds(() => patchGroup('add', ids));
    const oneMore = await measureEach(numbers.slice(-FEW), async (n) => {
      await patchGroup('remove', ids.slice(n, n + 1));
      await patchGroup('add', ids.slice(n, n + 1));
    });
    const rename = await milliseconds(() =>
      send('PATCH', `/Groups/${group.id}`, {
        Operations: [{ op: 'replace', path: 'displayName', value: 'All of us' }],
      }),
    );
    const leaveAtOnce = await milliseconds(() => patchGroup('remove', ids));
    await fetch(`${organization}/scim-groups/${group.id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ role: 'admin' }),
    });
    const joinWithRole = await milliseconds(() => patchGroup('add', ids));
    const switchOff = await measureEach(numbers.slice(-FEW), (n) =>
      send('PATCH', `/Users/${ids[n]}`, { Operations: [{ op: 'replace', path: 'active', value: false }] }),
    );
    report('scim', {
      people: PEOPLE,
      connections: CONNECTIONS,
      each: { create, read, find, findByAddress, page, change, oneMore, switchOff },
      millisecondsOfGroupOfAll: { joinAtOnce, rename, leaveAtOnce, joinWithRole },
    });
  } finally {
    await service.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

function person(n: number): object {
  const userName = `person-${n}@example.com`;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    externalId: `external-${n}`,
    name: { givenName: 'Person', familyName: `Number ${n}` },
    emails: [{ type: 'work', value: userName, primary: true }],
    active: true,
  };
}

/** What was done for many, one after the other on each connection; times in milliseconds. */
interface Step {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Of the first tenth, and of the last one. */
  readonly p50First: number;
  readonly p50Last: number;
}

/** Does something for each, as many at a time as there are connections. */
async function measureEach(items: readonly number[], each: (n: number) => Promise<unknown>): Promise<Step> {
  const times: number[] = [];
  const left = items.values();
  const took = await milliseconds(() =>
    Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const n of left) {
          const began = performance.now();
          await each(n);
          times.push(performance.now() - began);
        }
      }),
    ),
  );
  const tenth = Math.ceil(times.length / 10);
  return {
    perSecond: Math.round((times.length / took) * 1_000),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    p50First: quantile(times.slice(0, tenth), 0.5),
    p50Last: quantile(times.slice(-tenth), 0.5),
  };
}

async function milliseconds(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return Math.round(performance.now() - began);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
