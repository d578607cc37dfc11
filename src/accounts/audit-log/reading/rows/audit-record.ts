import { z } from 'zod';
import { auditFields } from '../../../../kernel/domain-events';
import type { AuditRow } from './audit-rows.read-model';

const { entry_id: rowId, personal: personalFields, ...fields } = auditFields;

/** What `entry` of a row says. */
const storedEntry = z.object({
  ...fields,
  id: rowId,
  /** Of a salt and the personal part, in hex. */
  personal_digest: z.string().nullable().default(null),
  /** Whether changes were too large to be kept. */
  changes_dropped: z.boolean().default(false),
});

/** A row of the log, read: what is hashed, what is personal, and where it stands. */
export interface AuditRecord extends Omit<z.output<typeof storedEntry>, 'actor'> {
  readonly position: number;
  readonly actor: z.output<typeof fields.actor> & {
    /** Of the user as they are called now; null once they were erased. */
    readonly name: string | null;
    readonly email: string | null;
  };
  /** Null once it was erased. */
  readonly personal: z.output<typeof personalFields> | null;
  /** SHA-256 of the hash before it in the organization, followed by the row, in hex. */
  readonly hash: string;
}

/** Reads a stored row. */
export function auditRecord(row: AuditRow): AuditRecord {
  const entry = storedEntry.parse(JSON.parse(row.entry));
  return {
    ...entry,
    position: Number(row.position),
    actor: { ...entry.actor, name: row.actor_name, email: row.actor_email },
    personal: row.personal === null ? null : personalFields.parse(JSON.parse(row.personal)),
    hash: row.hash.toString('hex'),
  };
}
