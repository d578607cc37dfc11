/**
 * How long a directory takes to provision an organization over SCIM: people made, found again by their names, put into a group
 * with a role, and switched off; beside requests that only ask for one person. The service is a process of its own with the
 * embedded database. Measures the build: run `npm run build` first.
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
import { report } from './report';
import { UNLIMITED } from './unlimited';

const { people: PEOPLE, connections: CONNECTIONS } = options({ people: 10_000, connections: 4 });
const SWITCHED_OFF = Math.min(500, PEOPLE);
const MEMBERS_AT_ONCE = 1_000;

interface Resource {
  readonly id: string;
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
    const create = await rateOf(numbers, async (n) => {
      const { id } = await send<Resource>('POST', '/Users', person(n));
      ids[n] = id;
    });
    const read = await rateOf(numbers, (n) => send('GET', `/Users/${ids[n]}`));
    const find = await rateOf(numbers, (n) =>
      send('GET', `/Users?filter=${encodeURIComponent(`userName eq "person-${n}@example.com"`)}`),
    );
    const group = await send<Resource>('POST', '/Groups', { displayName: 'Everybody' });
    await fetch(`${organization}/scim-groups/${group.id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ role: 'admin' }),
    });
    const batches = numbers.filter((n) => n % MEMBERS_AT_ONCE === 0);
    const join_ = await rateOf(
      batches,
      (n) => {
        const value = ids.slice(n, n + MEMBERS_AT_ONCE).map((id) => ({ value: id }));
        return send('PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'add', path: 'members', value }] });
      },
      PEOPLE,
    );
    const switchOff = await rateOf(numbers.slice(0, SWITCHED_OFF), (n) =>
      send('PATCH', `/Users/${ids[n]}`, { Operations: [{ op: 'replace', path: 'active', value: false }] }),
    );
    report('scim', {
      people: PEOPLE,
      connections: CONNECTIONS,
      aSecond: { create, read, find, join: join_, switchOff },
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

/** Does something for each, as many at a time as there are connections. @returns how many a second */
async function rateOf(
  items: readonly number[],
  each: (n: number) => Promise<unknown>,
  count = items.length,
): Promise<number> {
  const began = performance.now();
  const left = items.values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const n of left) await each(n);
    }),
  );
  return Math.round((count / (performance.now() - began)) * 1_000);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
