import { eventually } from '../../support/eventually';
import { newId } from '../../../src/kernel/common';
import { countAuditSeals, resealAuditLog } from '../../../src/accounts/audit-log';
import type { Recorded } from '../../../src/accounts/audit-log/chain/entry';
import { AuditChains } from '../../support/audit/audit-chains';
import { recorded } from '../../support/audit/audit-rows';

describe('sealed spans of the audit log', () => {
  let chains: AuditChains;
  let orgId: string;
  beforeAll(async () => (chains = await AuditChains.start()));
  afterAll(() => chains.stop());
  beforeEach(async () => {
    await chains.tamper('TRUNCATE audit_log, audit_personal, audit_seals');
    await chains.tamper('DELETE FROM domain_events');
    orgId = await chains.organization();
  });

  const DAY_MS = 86_400_000;
  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

  /** A span of three rows of so many days ago, and its seal. @returns its positions */
  async function oldSpan(days: number, of: string | null = orgId): Promise<string[]> {
    const positions = await chains.addEach(of, 3, { at: daysAgo(days) });
    await chains.sealedAt(new Date(daysAgo(days)));
    return positions;
  }

  const count = async (table: string): Promise<number> => {
    const [row] = await chains.db.query<[{ count: number }]>(`SELECT count(*)::int AS count FROM ${table}`);
    return row.count;
  };

  describe('are removed', () => {
    it('as wholes once all their rows are old enough, and keep their seals, so that what is left fits', async () => {
      await oldSpan(450);
      await oldSpan(420, null);
      await oldSpan(401);
      await oldSpan(399);
      await chains.removeOld(400);
      expect(await chains.verify()).toMatchObject({
        rows: 3,
        seals: 4,
        removed_spans: 3,
        removed_rows: 9,
        damaged: 0,
        findings: [],
      });
      expect(await count('audit_personal')).toBe(3);
    });

    it('with a row that says so, where it is added to a chain that has no other row any more', async () => {
      await oldSpan(450);
      await chains.removeOld(400);
      const logged = await chains.db.query<{ event: { action: string; org_id: string } }[]>(
        'SELECT event FROM domain_events',
      );
      expect(logged).toMatchObject([{ event: { action: 'removeOldAuditRows', org_id: orgId } }]);
      await chains.addEach(orgId, 2);
      await chains.seal();
      expect(await chains.verify()).toMatchObject({ rows: 2, seals: 2, unsealed: 0, damaged: 0 });
    });

    it('in batches, all of them', async () => {
      for (let n = 0; n < 4; n++) await oldSpan(440 - n);
      await chains.removeOld(400, chains.box(), 2);
      expect(await chains.verify()).toMatchObject({ rows: 0, removed_spans: 4, damaged: 0 });
    });

    it('only where their seals fit the key', async () => {
      await oldSpan(450);
      await chains.removeOld(400, chains.box('another-key-of-tests-9876543210abc'));
      expect(await chains.verify()).toMatchObject({ rows: 3, removed_spans: 0 });
    });
  });

  describe('are refused by the function that removes them', () => {
    /** How many spans it removes of all seals that there are. */
    const removed = async (days = 400): Promise<number> => {
      const rows = await chains.db.query<object[]>(
        'SELECT * FROM audit_remove_spans((SELECT array_agg(id) FROM audit_seals), $1)',
        [days],
      );
      return rows.length;
    };

    it('where they are not old enough, and never before a month', async () => {
      await oldSpan(29);
      expect(await removed(400)).toBe(0);
      expect(await removed(0)).toBe(0);
      expect(await removed(-1_000)).toBe(0);
    });

    it('where a row of them is newer, whatever the time of the seal', async () => {
      await chains.addEach(orgId, 1, { at: daysAgo(500) });
      await chains.addEach(orgId, 1, { at: daysAgo(5) });
      await chains.sealedAt(new Date(daysAgo(500)));
      expect(await removed()).toBe(0);
    });

    it('where rows are not sealed', async () => {
      await chains.addEach(orgId, 3, { at: daysAgo(500) });
      expect(await removed()).toBe(0);
    });

    it.each([
      ['has fewer rows than they do', 'rows = rows - 1'],
      ['has more rows than they do', 'rows = rows + 1'],
      ['ends with another hash', 'hash = sha256(hash)'],
      ['begins elsewhere', 'first_position = first_position + 1'],
      ['ends elsewhere', 'position = position + 100'],
    ])('where the seal %s', async (_, change) => {
      await oldSpan(450);
      await chains.tamper(`UPDATE audit_seals SET ${change}`);
      expect(await removed()).toBe(0);
    });

    it('where older rows are in front of them', async () => {
      await oldSpan(450);
      await oldSpan(440);
      await chains.tamper('DELETE FROM audit_seals WHERE id = (SELECT min(id) FROM audit_seals)');
      expect(await removed()).toBe(0);
    });
  });

  it('that others removed are missed', async () => {
    await oldSpan(450);
    const [first] = await oldSpan(440);
    await chains.tamper('DELETE FROM audit_log WHERE position >= $1', [first]);
    await chains.tamper('UPDATE audit_seals SET removed_at = now() WHERE first_position = $1', [first]);
    expect((await chains.verify()).findings).toMatchObject([
      { kind: 'missing', says: expect.stringContaining('removed before older ones') as string },
    ]);
    await chains.tamper('DELETE FROM audit_log');
    await chains.tamper(`UPDATE audit_seals SET removed_at = sealed_at + interval '29 days'`);
    expect((await chains.verify()).findings).toMatchObject(
      Array(2).fill({
        kind: 'missing',
        says: expect.stringContaining('before they were 30 days old') as string,
      }),
    );
  });

  describe('when the secret key changes', () => {
    const OLD = 'the-key-before-of-tests-0123456789';

    it('fit while the earlier key is listed, and without it once they were moved', async () => {
      const [old, both, present] = [chains.box(OLD), chains.box(chains.key, OLD), chains.box()];
      for (const box of [old, old, both]) {
        await chains.addEach(orgId, 2);
        await chains.addEach(null, 2);
        await chains.seal(box);
      }
      expect(await chains.verify(null, both)).toMatchObject({ damaged: 0 });
      expect(await chains.verify(null, present)).toMatchObject({ damaged: 4 });
      expect(await countAuditSeals(chains.db)).toEqual(
        new Map([
          [old.currentKeyId, 4],
          [present.currentKeyId, 2],
        ]),
      );
      expect(await resealAuditLog(chains.db, both)).toBe(4);
      expect(await resealAuditLog(chains.db, both)).toBe(0);
      expect(await countAuditSeals(chains.db)).toEqual(new Map([[present.currentKeyId, 6]]));
      expect(await chains.verify(null, present)).toMatchObject({ damaged: 0 });
    });

    it('are not made to fit where they did not', async () => {
      await chains.addEach(orgId, 2);
      await chains.seal(chains.box(OLD));
      await chains.tamper('UPDATE audit_seals SET rows = 1');
      const both = chains.box(chains.key, OLD);
      expect(await resealAuditLog(chains.db, both)).toBe(0);
      expect(await chains.verify(null, both)).toMatchObject({ damaged: 1, findings: [{ kind: 'seal' }] });
    });
  });

  describe('of a person who is erased', () => {
    it('have nothing personal of theirs that is being added meanwhile', async () => {
      const gone = newId();
      const event = recorded(orgId, { actor: actor(gone) });
      await chains.db.transaction((transaction) => chains.log.add(transaction, [event], false));
      let erased: Promise<boolean> | undefined;
      // As the sequencer does it: numbered and added in one transaction.
      await chains.db.transaction(async (transaction) => {
        await transaction.query('UPDATE domain_events SET position = 1000000');
        await chains.addIn(transaction, event);
        erased = chains.db.transaction((other) => chains.audit.erasePerson(other, gone));
        await eventually(async () => {
          const waiting = await chains.db.query<object[]>(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(waiting).toHaveLength(1);
        });
      });
      expect(await erased).toBe(false);
      expect(await count('audit_personal')).toBe(0);
      const [{ event: logged }] = await chains.db.query<[{ event: Recorded }]>(
        'SELECT event FROM domain_events',
      );
      expect(logged.personal).toEqual({ address: null, user_agent: null });
      expect(await chains.verify()).toMatchObject({ rows: 1, erased: 1, damaged: 0 });
    });

    const actor = (user_id: string) => ({ kind: 'user' as const, user_id, key_prefix: null, session: true });

    it('lose what is personal in portions, each with the events that it was made of', async () => {
      const gone = newId();
      const events = Array.from({ length: 5 }, () => recorded(orgId, { actor: actor(gone) }));
      await chains.db.transaction((transaction) => chains.log.add(transaction, events, false));
      const [first] = await chains.add(...events);
      await chains.tamper(
        'UPDATE domain_events SET position = $1 + id - (SELECT min(id) FROM domain_events)',
        [first],
      );
      const left: unknown[] = [];
      for (let isLeft = true; isLeft;) {
        isLeft = await chains.db.transaction((transaction) => chains.audit.erasePerson(transaction, gone, 2));
        const [row] = await chains.db.query<[object]>(
          `SELECT (SELECT count(*)::int FROM audit_personal) AS rows,
                  (SELECT count(*)::int FROM domain_events WHERE event -> 'personal' ->> 'address' IS NOT NULL) AS events`,
        );
        left.push(row);
      }
      expect(left).toEqual([3, 1, 0].map((n) => ({ rows: n, events: n })));
      expect(await chains.verify()).toMatchObject({ rows: 5, erased: 5, damaged: 0 });
    });

    it('fit as before, without what was personal, in the log and in the events that it was made of', async () => {
      const [gone, stays] = [newId(), newId()];
      const events = [
        recorded(orgId, { actor: actor(gone), action: 'a\u0000' }),
        recorded(null, { actor: actor(gone) }),
        recorded(orgId, { actor: actor(stays) }),
      ];
      await chains.db.transaction((transaction) => chains.log.add(transaction, events, false));
      const [first] = await chains.add(...events);
      await chains.tamper(
        'UPDATE domain_events SET position = $1 + id - (SELECT min(id) FROM domain_events)',
        [first],
      );
      // One that has no position yet.
      await chains.db.transaction((transaction) =>
        chains.log.add(transaction, [recorded(orgId, { actor: actor(gone) })], false),
      );
      await chains.seal();
      const isLeft = await chains.db.transaction((transaction) =>
        chains.audit.erasePerson(transaction, gone),
      );
      expect(isLeft).toBe(false);
      expect(await chains.verify()).toMatchObject({ rows: 3, erased: 2, damaged: 0 });
      const logged = await chains.db.query<{ event: Recorded }[]>(
        'SELECT event FROM domain_events ORDER BY id',
      );
      expect(logged.map(({ event }) => [event.actor.user_id, event.personal.address])).toEqual([
        [gone, null],
        [gone, null],
        [stays, '203.0.113.7'],
        [gone, null],
      ]);
      expect(logged[0]?.event).toEqual({ ...events[0], personal: { address: null, user_agent: null } });
    });
  });
});
