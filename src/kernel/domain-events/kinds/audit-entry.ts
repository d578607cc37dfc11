import { z } from 'zod';
import { field, id, idOrNull } from './event-fields';

const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';

/** Who acts: people and service accounts; directories, sandboxes and other services by their keys; operators at the command line; the service itself. */
export const ACTOR_KINDS = [
  'user',
  'service_account',
  'directory',
  'sandbox',
  'service',
  'operator',
  'system',
  'unknown',
] as const;

/** What became of a call: it was done, it was refused (401, 403, 429), or it failed otherwise. */
export const OUTCOMES = ['success', 'refused', 'failed'] as const;

const said = <Schema extends z.ZodType>(schema: Schema, description: string): Schema =>
  schema.meta({ description });

const actor = z.object({
  kind: said(z.enum(ACTOR_KINDS), 'What they are.'),
  user_id: said(z.string().nullable(), 'The user; null for who is none.'),
  key_prefix: said(z.string().nullable(), 'The first characters of the key.'),
  session: said(z.boolean(), 'Whether a browser that is signed in sent the call.'),
});

const target = z.object({ type: said(z.string(), 'What it is.'), id: said(z.string(), 'Its id.') });

const values = z.record(z.string(), z.unknown()).nullable();

const change = z.object({
  table: said(z.string(), 'What it is of, as the database calls it.'),
  id: said(z.string(), 'Its id.'),
  before: said(values, 'What changed, as it was; null for what was made.'),
  after: said(values, 'What changed, as it is; null for what was deleted.'),
});

const personal = z.object({
  address: said(z.string().nullable(), 'The address of the caller.'),
  user_agent: said(z.string().nullable(), 'The program of the caller, as it calls itself.'),
});

/** The fields of `audit.recorded`: a row of the audit log, and what of it is personal (docs/audit-log.md). */
export const auditFields = {
  org_id: idOrNull(
    'The organization; null for what belongs to none.',
    '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ),
  entry_id: id('The row.', '0b7f8a31-5f0e-4d0c-9a39-2f6f1d0c8e11'),
  at: field(z.iso.datetime(), 'When it happened.', '2026-11-21T09:30:00.000Z'),
  actor: field(actor, 'Who did it.', {
    kind: 'user',
    user_id: USER,
    key_prefix: null,
    session: true,
  }),
  action: field(
    z.string(),
    'The id of the operation; of commands and of the service itself, what they do.',
    'changeMemberRole',
  ),
  target: field(target.nullable(), 'What it was done to.', { type: 'user', id: USER }),
  changes: field(
    z.array(change).nullable(),
    'Settings, roles and policies before and after; never a secret.',
    [{ table: 'org_members', id: USER, before: { role: 'member' }, after: { role: 'admin' } }],
  ),
  outcome: field(z.enum(OUTCOMES), 'What became of it.', 'success'),
  status: field(z.int().nullable(), 'The status of the response; null for what was no request.', 200),
  code: field(z.string().nullable(), 'The code of the error; null for a success.', null),
  request_id: field(
    z.string().nullable(),
    'The id of the request, as the log of the service has it.',
    'b1a2c3d4-0000-4000-8000-000000000001',
  ),
  personal: field(personal, 'The address and the program that the call came from.', {
    address: '203.0.113.7',
    user_agent: 'Mozilla/5.0',
  }),
};

/** A row of the audit log as it is logged with its change. */
export type AuditFields = z.output<z.ZodObject<typeof auditFields>>;
