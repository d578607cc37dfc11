import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { cutText, parseUuid, storableJson } from '../../../kernel/common';
import type { DomainEventOf } from '../../../kernel/domain-events';
import { canonicalJson } from './canonical-json';

/** What is logged with a change. */
export type Recorded = DomainEventOf<'audit.recorded'>;

/** In place of the hash before the first row of a chain. */
export const NO_HASH = Buffer.alloc(32);

const SALT_BYTES = 16;
/** Of an entry; the table has no room for more. */
const MOST_BYTES = 256 * 1024;

/** The last row of a chain, or the last that was removed of it. */
export interface ChainHead {
  readonly position: string;
  readonly hash: Buffer;
}

/** What of a row is a person's: kept beside it, and by its digest in it. */
export interface PersonalPart {
  readonly userId: string | null;
  readonly text: string;
  readonly salt: Buffer;
}

/** The columns by which rows are found; all of them are in the entry, too. */
export interface FilterColumns {
  readonly position: string;
  readonly org_id: string | null;
  readonly id: string;
  readonly at: Date;
  readonly actor_kind: string;
  readonly actor_user_id: string | null;
  readonly action: string;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly outcome: string;
}

/** A row as it is added to the log. */
export interface NewRow {
  readonly columns: FilterColumns;
  readonly entry: string;
  readonly hash: Buffer;
  readonly personal: PersonalPart | null;
}

/** Of an entry, what is read again: the rest is whatever the release that wrote it had. */
const entrySchema = z.object({
  position: z.string().regex(/^[0-9]{1,19}$/),
  previous: z.string().nullable(),
  id: z.string(),
  at: z.iso.datetime(),
  org_id: z.string().nullable(),
  actor: z.object({ kind: z.string(), user_id: z.string().nullable() }),
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string() }).nullable(),
  outcome: z.string(),
  personal_digest: z.string().nullable(),
});

/** An entry, as far as it is read again. */
export type Entry = z.output<typeof entrySchema>;

/** Reads an entry. @returns null where it is none */
export function readEntry(text: string): Entry | null {
  try {
    return entrySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** What the columns of a row have to say, by its entry. */
export function columnsOf({
  position,
  id,
  at,
  org_id,
  actor,
  action,
  target,
  outcome,
}: Entry): FilterColumns {
  return {
    position,
    org_id,
    id,
    at: new Date(at),
    action,
    outcome,
    actor_kind: actor.kind,
    actor_user_id: parseUuid(actor.user_id ?? ''),
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
  };
}

/** The hash of a row, which everything before it in its chain goes into. @param before that of the row before */
export function hashOf(before: Buffer, entry: string): Buffer {
  return createHash('sha256').update(before).update(entry).digest();
}

/** The digest of a personal part, as the entry has it. */
export function personalDigest(salt: Buffer, text: string): string {
  return createHash('sha256').update(salt).update(text).digest('hex');
}

/**
 * The row of what was logged. What is too long is cut, and changes that are too many are left out, which `changes_dropped` says: a
 * row that the table refused would hold up all domain events.
 * @param head of its chain; null where the chain has had no row yet
 */
export function rowOf(position: string, event: Recorded, head: ChainHead | null): NewRow {
  const { kind: _, entry_id: id, at, personal: given, actor, target, ...rest } = event;
  const personal = personalOf(actor.user_id, given);
  const entry = {
    ...rest,
    position,
    id,
    previous: head?.position ?? null,
    at: new Date(at).toISOString(),
    // All else has no texts but those that are cut here, and those of the service itself.
    changes: event.changes?.map(storableJson) ?? null,
    actor: { ...actor, user_id: cut(actor.user_id, 100), key_prefix: cut(actor.key_prefix, 100) },
    action: cutText(event.action, 200),
    target: target === null ? null : { type: cutText(target.type, 100), id: cutText(target.id, 500) },
    code: cut(event.code, 200),
    request_id: cut(event.request_id, 200),
    personal_digest: personal === null ? null : personalDigest(personal.salt, personal.text),
  };
  const whole = canonicalJson(entry);
  const text =
    Buffer.byteLength(whole) <= MOST_BYTES
      ? whole
      : canonicalJson({ ...entry, changes: null, changes_dropped: true });
  const hash = hashOf(head?.hash ?? NO_HASH, text);
  return { columns: columnsOf(entry), entry: text, hash, personal };
}

/** Salted, because addresses are few enough to try them all. Null where there is nothing of a person. */
function personalOf(
  userId: string | null,
  { address, user_agent }: Recorded['personal'],
): PersonalPart | null {
  if (address === null && user_agent === null) return null;
  const text = canonicalJson({ address: cut(address, 200), user_agent: cut(user_agent, 500) });
  return { userId: parseUuid(userId ?? ''), text, salt: randomBytes(SALT_BYTES) };
}

function cut(text: string | null, most: number): string | null {
  return text === null ? null : cutText(text, most);
}
