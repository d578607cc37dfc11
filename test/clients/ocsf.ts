/**
 * Has the events of OCSF that rows of the audit log become be validated against OCSF's own schema: of every operation of
 * `openapi.json`, of what the document does not have, and of commands, with every outcome and every kind of actor.
 *
 *   npm run test:ocsf
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ocsfEvent } from '../../src/accounts/audit-log/reading/ocsf/ocsf-event';
import { NAMED_ACTIONS } from '../../src/accounts/audit-log/reading/ocsf/ocsf-classes';
import type { AuditRow } from '../../src/accounts/audit-log/reading/rows/audit-rows.read-model';
import { ACTOR_KINDS } from '../../src/kernel/domain-events';
import { SERVICE_COMMANDS } from '../../src/operations/extensions';
import { ensureOcsf } from '../../scripts/ocsf-environment';
import { auditFieldsOf, type AuditRowFields } from '../support/audit-log/audit-rows';

/** The newest one: what is added there must not make events of an older one invalid. */
const OTHER_VERSIONS = ['1.8.0'];

const OUTCOMES: readonly AuditRowFields[] = [
  { outcome: 'success', status: 200 },
  { outcome: 'success', status: null },
  { outcome: 'refused', status: 401, code: 'not_authenticated' },
  { outcome: 'refused', status: 403, code: 'permission_denied' },
  { outcome: 'refused', status: 429, code: 'request_limit_reached' },
  { outcome: 'failed', status: 409, code: 'last_owner' },
  { outcome: 'failed', status: 500, code: 'internal_error' },
];

const USER = randomUUID();
const CHANGES = [
  { table: 'org_members', id: USER, before: { role: 'member' }, after: { role: 'admin', own_role_id: null } },
  { table: 'org_roles', id: USER, before: null, after: { permissions: ['view_audit_log'] } },
];

/** Rows that have everything, and rows that have nothing of what may be absent. */
const REST: readonly AuditRowFields[] = [
  { org_id: randomUUID(), target: { type: 'user', id: USER }, changes: CHANGES, request_id: 'a-request' },
  {
    org_id: null,
    target: null,
    changes: null,
    request_id: null,
    personal: { address: null, user_agent: null },
  },
];

function actions(): string[] {
  const document = JSON.parse(readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  return [...new Set([...operations, ...NAMED_ACTIONS, ...SERVICE_COMMANDS, 'retention.removed', '?'])];
}

function rowOf(fields: AuditRowFields, hasNames: boolean): AuditRow {
  const { entry_id: id, personal, ...rest } = auditFieldsOf(fields);
  return {
    position: '4711',
    at: new Date(rest.at),
    entry: JSON.stringify({ id, ...rest, personal_digest: null }),
    hash: createHash('sha256').digest(),
    personal: hasNames ? JSON.stringify(personal) : null,
    actor_name: hasNames ? 'Ada Lovelace' : null,
    actor_email: hasNames ? 'ada@example.com' : null,
  };
}

function* events(): Generator<string> {
  for (const action of actions())
    for (const outcome of OUTCOMES)
      for (const rest of REST)
        for (const kind of ACTOR_KINDS) {
          const isUser = kind === 'user' || kind === 'service_account';
          const key_prefix = rest.org_id === null ? null : 'sk-oh-abcdef';
          const actor = { kind, user_id: isUser ? USER : null, key_prefix, session: false };
          const row = rowOf({ ...outcome, ...rest, action, actor }, rest.org_id !== null);
          yield `${JSON.stringify(ocsfEvent(row))}\n`;
        }
}

async function main(): Promise<void> {
  const { directory, version, variables } = await ensureOcsf();
  const script = join(__dirname, 'python', 'ocsf_events.py');
  const python = spawn(join(directory, 'bin', 'python'), [script, ...OTHER_VERSIONS], {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const printed = text(python.stdout);
  // What ends it says so itself.
  python.stdin.on('error', () => undefined);
  python.stdin.end([...events()].join(''));
  const found = JSON.parse(await printed) as {
    events: number;
    versions: string[];
    problems: Record<string, string>;
  };
  for (const [problem, action] of Object.entries(found.problems)) console.log(`${problem} (${action})`);
  const wrong = Object.keys(found.problems).length;
  console.log(
    `ocsf-json-schema ${version}: ${found.events} events against OCSF ${found.versions.join(', ')}, ${wrong} kinds of problems.`,
  );
  if (wrong > 0 || found.events < 10_000) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
