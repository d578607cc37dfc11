import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { AuditFields, DomainEventOf } from '../../../src/kernel/domain-events';

/** What a test says of a row; the rest is made up. */
export type AuditRowFields = Partial<Omit<AuditFields, 'personal'>> & {
  readonly personal?: AuditFields['personal'] | null;
};

/** Something that the log has a row of: a member's role was changed by nobody in particular. */
export function auditFieldsOf(fields: AuditRowFields = {}): AuditFields {
  return {
    org_id: null,
    entry_id: randomUUID(),
    at: '2026-11-21T09:30:00.000Z',
    actor: { kind: 'unknown', user_id: null, key_prefix: null, session: false },
    action: 'changeMemberRole',
    target: null,
    changes: null,
    outcome: 'success',
    status: 200,
    code: null,
    request_id: null,
    ...fields,
    personal: fields.personal ?? { address: '203.0.113.7', user_agent: 'a browser' },
  };
}

/** As the event that brings it into the log. */
export function auditEvent(fields: AuditRowFields = {}): DomainEventOf<'audit.recorded'> {
  return { kind: 'audit.recorded', ...auditFieldsOf(fields) };
}

/**
 * Stores rows as the log has them, in their order.
 * @returns their positions
 */
export async function storeAuditRows(
  db: DataSource,
  orgId: string | null,
  rows: readonly AuditRowFields[],
): Promise<number[]> {
  const positions: number[] = [];
  for (const row of rows) {
    const { entry_id, personal, ...rest } = auditFieldsOf({ ...row, org_id: orgId });
    const entry = { id: entry_id, ...rest, personal_digest: null };
    const [{ position }] = await db.query<[{ position: string }]>(
      `INSERT INTO audit_log (position, org_id, id, at, actor_kind, actor_user_id, action, target_type, target_id, outcome, entry, hash)
       VALUES (nextval('domain_event_positions'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING position`,
      [
        orgId,
        entry_id,
        rest.at,
        rest.actor.kind,
        rest.actor.user_id,
        rest.action,
        rest.target?.type ?? null,
        rest.target?.id ?? null,
        rest.outcome,
        JSON.stringify(entry),
        createHash('sha256').update(entry_id).digest(),
      ],
    );
    if (row.personal !== null)
      await db.query('INSERT INTO audit_personal (position, personal, salt) VALUES ($1, $2, $3)', [
        position,
        JSON.stringify(personal),
        randomBytes(16),
      ]);
    positions.push(Number(position));
  }
  return positions;
}
