import { DomainEventLog } from '../../../src/kernel/domain-events';
import { recorded } from '../../support/audit/audit-rows';
import { eventually } from '../../support/eventually';
import { startTestApp } from '../../support/service/app';
import { makeOrg } from '../../support/service/factories';

describe.each([
  ['on', 3],
  ['off', 0],
])('the audit log that is %s', (AUDIT_LOG, rows) => {
  it(`has ${rows} of three rows, of two chains`, async () => {
    const { app, db, close } = await startTestApp({ env: { AUDIT_LOG } });
    try {
      const { id } = await makeOrg(db);
      await db.transaction((transaction) =>
        app.get(DomainEventLog).add(transaction, [recorded(id), recorded(null), recorded(id)], false),
      );
      await eventually(async () => {
        const waiting = await db.query<object[]>(
          `SELECT 1 FROM domain_events WHERE position IS NULL AND kind = 'audit.recorded'`,
        );
        expect(waiting).toEqual([]);
      });
      const added = await db.query<{ position: string; event_position: string }[]>(
        `SELECT l.position, e.position AS event_position FROM audit_log l
           JOIN domain_events e ON e.event ->> 'entry_id' = l.id::text`,
      );
      expect(added).toHaveLength(rows);
      for (const { position, event_position } of added) expect(position).toBe(event_position);
    } finally {
      await close();
    }
  });
});
