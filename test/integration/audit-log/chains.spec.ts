import { createHash } from 'node:crypto';
import { newId } from '../../../src/kernel/common';
import { AuditChains } from '../../support/audit/audit-chains';
import { recorded } from '../../support/audit/audit-rows';

describe('the chains of the audit log', () => {
  let chains: AuditChains;
  let orgId: string;
  beforeAll(async () => (chains = await AuditChains.start()));
  afterAll(() => chains.stop());
  beforeEach(async () => {
    await chains.tamper('TRUNCATE audit_log, audit_personal, audit_seals');
    orgId = await chains.organization();
  });

  /** What is found, as kinds and positions. */
  const found = async (): Promise<string[]> =>
    (await chains.verify()).findings.map(({ kind, position }) => `${kind} ${position}`);

  it('have rows whose hashes anybody can calculate', async () => {
    const event = recorded(orgId);
    await chains.add(event, recorded(orgId));
    const rows = await chains.db.query<{ entry: string; hash: Buffer; personal: string; salt: Buffer }[]>(
      'SELECT entry, hash, personal, salt FROM audit_log JOIN audit_personal USING (position) ORDER BY position',
    );
    let before = Buffer.alloc(32);
    for (const { entry, hash } of rows) {
      before = createHash('sha256').update(before).update(entry).digest();
      expect(hash).toEqual(before);
    }
    const [first] = rows;
    const { personal, actor, at, action, ...rest } = event;
    const digest = createHash('sha256')
      .update(first?.salt ?? '')
      .update(first?.personal ?? '');
    expect(JSON.parse(first?.entry ?? '')).toMatchObject({
      actor,
      at,
      action,
      org_id: orgId,
      id: event.entry_id,
      previous: null,
      changes: rest.changes,
      personal_digest: digest.digest('hex'),
    });
    expect(first?.entry).toMatch(/^\{"action":"changeMemberRole","actor":\{"key_prefix":null,/);
    expect(first?.entry).not.toContain('203.0.113.7');
    expect(JSON.parse(first?.personal ?? '')).toEqual(personal);
  });

  it('are whole when nothing was changed, one for each organization and one for the installation', async () => {
    const other = await chains.organization();
    await chains.add(recorded(orgId), recorded(null), recorded(other), recorded(orgId));
    await chains.seal();
    await chains.add(recorded(other), recorded(null), recorded(orgId));
    expect(await chains.verify()).toEqual({
      chains: 3,
      rows: 7,
      unsealed: 3,
      seals: 3,
      removed_spans: 0,
      removed_rows: 0,
      erased: 0,
      damaged: 0,
      findings: [],
    });
    expect(await chains.verify(orgId)).toMatchObject({ chains: 1, rows: 3, damaged: 0 });
  });

  it('go on over more rows than are made at a stretch', async () => {
    const other = await chains.organization();
    await chains.add(...Array.from({ length: 250 }, (_, n) => recorded(n % 3 === 0 ? other : orgId)));
    expect(await chains.verify()).toMatchObject({ chains: 2, rows: 250, damaged: 0, findings: [] });
  });

  it('of others go on while an organization is being removed, of which no row is added then', async () => {
    const [ending, other] = [await chains.organization(), orgId];
    await chains.db.query('UPDATE organizations SET ending_at = now() WHERE id = $1', [ending]);
    await chains.add(recorded(ending));
    await chains.db.transaction(async (removal) => {
      await removal.query('SELECT 1 FROM organizations WHERE id = $1 FOR UPDATE', [ending]);
      await chains.db.transaction(async (sequencer) => {
        await sequencer.query(`SET LOCAL lock_timeout = '2s'`);
        await chains.addIn(sequencer, recorded(ending), recorded(other), recorded(null));
      });
      await chains.seal();
    });
    expect(await chains.verify()).toMatchObject({ chains: 3, rows: 3, seals: 2, unsealed: 1, damaged: 0 });
  });

  it('take texts that the database cannot keep, and ids that are none', async () => {
    await chains.add(
      recorded(orgId, {
        action: 'a\u0000b\ud800',
        target: { type: 't\u0000', id: '\udfff' },
        actor: { kind: 'service', user_id: 'nobody', key_prefix: null, session: false },
        changes: [{ table: 't', id: 'i', before: null, after: { b: '\u0000', 10: 1, 9: 2 } }],
        personal: { address: '\u0000', user_agent: null },
      }),
    );
    expect(await chains.verify()).toMatchObject({ rows: 1, damaged: 0 });
    const [row] = await chains.db.query<[{ entry: string }]>('SELECT entry FROM audit_log');
    expect(row.entry).toContain('"after":{"10":1,"9":2,"b":"\ufffd"}');
  });

  it('have room for whatever is recorded: what is too long is cut, and what is too much left out, and said so', async () => {
    const long = 'é'.repeat(300_000);
    await chains.add(
      recorded(orgId, {
        action: long,
        code: long,
        request_id: long,
        target: { type: long, id: long },
        actor: { kind: 'user', user_id: long, key_prefix: long, session: false },
        changes: [{ table: 't', id: 'i', before: null, after: { long } }],
        personal: { address: long, user_agent: long },
      }),
      recorded(orgId),
    );
    expect(await chains.verify()).toMatchObject({ rows: 2, damaged: 0 });
    const [row] = await chains.db.query<[{ entry: string }]>('SELECT entry FROM audit_log ORDER BY position');
    expect(JSON.parse(row.entry)).toMatchObject({ changes: null, changes_dropped: true });
  });

  it('drop rows of organizations that are gone, and go with them, while others are untouched', async () => {
    const other = await chains.organization();
    await chains.add(recorded(orgId), recorded(other));
    await chains.seal();
    await chains.tamper('DELETE FROM organizations WHERE id = $1', [orgId]);
    await chains.add(recorded(orgId), recorded(newId()), recorded(other));
    expect(await chains.verify()).toMatchObject({ chains: 1, rows: 2, damaged: 0, findings: [] });
    await chains.seal();
    expect(await chains.verify()).toMatchObject({ seals: 2, unsealed: 0, damaged: 0 });
  });

  describe('with a row', () => {
    let positions: string[];
    beforeEach(async () => {
      positions = await chains.addEach(orgId, 3);
      await chains.seal();
      positions.push(...(await chains.addEach(orgId, 3)));
      await chains.seal();
    });
    const at = (n: number): string => positions[n] ?? '';

    it.each([0, 1, 2, 3, 4, 5])('removed name it: the one at %d', async (n) => {
      await chains.tamper('DELETE FROM audit_log WHERE position = $1', [at(n)]);
      const { findings } = await chains.verify();
      expect(findings).toMatchObject([{ kind: 'missing', org_id: orgId, at: null, action: null }]);
      // Where it is the first, the second names nothing before itself.
      expect(findings[0]?.position).toBe(at(n));
    });

    it('changed name it, with its time and what was done', async () => {
      await chains.tamper(
        `UPDATE audit_log SET entry = replace(entry, 'admin', 'owner') WHERE position = $1`,
        [at(1)],
      );
      expect((await chains.verify()).findings).toEqual([
        {
          kind: 'changed',
          org_id: orgId,
          position: at(1),
          action: 'changeMemberRole',
          at: expect.stringMatching(/^2\d{3}-.*Z$/) as string,
          says: expect.stringContaining('is not as it was added') as string,
        },
      ]);
    });

    it('changed in its hash alone name it, and not the next one', async () => {
      await chains.tamper('UPDATE audit_log SET hash = $2 WHERE position = $1', [at(1), Buffer.alloc(32, 7)]);
      expect(await found()).toEqual([`changed ${at(1)}`]);
    });

    it('swapped with another name the first of them', async () => {
      await chains.tamper(
        `UPDATE audit_log l SET (id, at, actor_user_id, target_id, entry, hash) =
           (SELECT o.id, o.at, o.actor_user_id, o.target_id, o.entry, o.hash FROM audit_log o
             WHERE o.position = $1::bigint + $2::bigint - l.position)
          WHERE position IN ($1::bigint, $2::bigint)`,
        [at(1), at(2)],
      );
      expect((await found())[0]).toBe(`changed ${at(1)}`);
    });

    it('moved to another organization name it in both', async () => {
      const other = await chains.organization();
      await chains.tamper('UPDATE audit_log SET org_id = $2 WHERE position = $1', [at(1), other]);
      expect((await found()).sort()).toEqual([`missing ${at(1)}`, `missing ${at(0)}`].sort());
    });

    it.each([
      ['outcome', `'failed'`],
      ['at', `at - interval '1 day'`],
      ['actor_kind', `'system'`],
      ['actor_user_id', 'NULL'],
      ['action', `'other'`],
      ['target_id', 'NULL'],
      ['target_type', 'NULL'],
      ['id', 'gen_random_uuid()'],
    ])('found by another %s than it has name it', async (column, value) => {
      await chains.tamper(`UPDATE audit_log SET ${column} = ${value} WHERE position = $1`, [at(2)]);
      expect((await chains.verify()).findings).toMatchObject([
        { kind: 'column', position: at(2), says: expect.stringContaining(`: ${column}.`) as string },
      ]);
    });

    it('whose personal part was changed name it, and are whole without that part', async () => {
      await chains.tamper('DELETE FROM audit_personal WHERE position = $1', [at(0)]);
      expect(await chains.verify()).toMatchObject({ damaged: 0, erased: 1 });
      await chains.tamper(`UPDATE audit_personal SET personal = '{}' WHERE position = $1`, [at(1)]);
      await chains.tamper('UPDATE audit_personal SET user_id = $2 WHERE position = $1', [at(2), newId()]);
      expect(await found()).toEqual([`personal ${at(1)}`, `personal ${at(2)}`]);
    });

    it('and all behind it written anew are not those that were sealed', async () => {
      const rows = await chains.db.query<{ position: string; entry: string; hash: Buffer }[]>(
        'SELECT position, entry, hash FROM audit_log ORDER BY position',
      );
      let before = rows[3]?.hash ?? Buffer.alloc(0);
      for (const { position, entry } of rows.slice(4)) {
        const changed = entry.replace('"admin"', '"owner"');
        before = createHash('sha256').update(before).update(changed).digest();
        await chains.tamper('UPDATE audit_log SET entry = $2, hash = $3 WHERE position = $1', [
          position,
          changed,
          before,
        ]);
      }
      await chains.addEach(orgId, 1);
      expect((await chains.verify()).findings).toMatchObject([
        {
          kind: 'changed',
          position: at(3),
          says: expect.stringContaining('not those that were sealed') as string,
        },
      ]);
    });

    it('cut out with others of a span, or a span with its seal, say what is missing', async () => {
      await chains.tamper('DELETE FROM audit_log WHERE position BETWEEN $1 AND $2', [at(1), at(4)]);
      expect(await found()).toEqual([`missing ${at(2)}`, `missing ${at(4)}`]);
      await chains.tamper('DELETE FROM audit_seals WHERE position = $1', [at(2)]);
      expect(await found()).toEqual([`missing ${at(4)}`, `seal ${at(5)}`]);
    });

    it('cut off with the whole end up to a seal say so, and what comes behind fits again', async () => {
      await chains.tamper('DELETE FROM audit_log WHERE position >= $1', [at(4)]);
      expect(await found()).toEqual([`missing ${at(5)}`]);
    });

    it('behind the last seal cut off are the only ones that nobody misses', async () => {
      const [, last = ''] = await chains.addEach(orgId, 2);
      await chains.tamper('DELETE FROM audit_log WHERE position = $1', [last]);
      expect(await chains.verify()).toMatchObject({ damaged: 0, unsealed: 1 });
    });
  });

  describe('with a seal', () => {
    it.each(['hash', 'mac'])('whose %s was changed name it alone', async (column) => {
      const [first] = await chains.addEach(orgId, 2);
      await chains.seal();
      await chains.addEach(orgId, 2);
      await chains.seal();
      await chains.tamper(`UPDATE audit_seals SET ${column} = sha256(${column}) WHERE first_position = $1`, [
        first,
      ]);
      const seals = (await found()).filter((each) => each.startsWith('seal'));
      expect(seals[0]).toBe(`seal ${Number(first) + 1}`);
      expect(seals).toHaveLength(column === 'mac' ? 1 : 2);
    });

    it('made without the key name it, whatever it says', async () => {
      await chains.addEach(orgId, 2);
      await chains.seal(chains.box('another-key-of-tests-9876543210abc'));
      expect((await chains.verify()).findings).toMatchObject([
        { kind: 'seal', says: expect.stringMatching(/neither SECRET_KEY nor/) as string },
      ]);
      await chains.tamper('UPDATE audit_seals SET key_id = $1', [chains.box().currentKeyId]);
      expect((await chains.verify()).findings).toMatchObject([
        { kind: 'seal', says: expect.stringMatching(/changed or made without the key/) as string },
      ]);
    });

    it('taken away say so, by the next one', async () => {
      const [first] = await chains.addEach(orgId, 1);
      await chains.seal();
      const [second] = await chains.addEach(orgId, 1);
      await chains.seal();
      await chains.tamper('DELETE FROM audit_seals WHERE position = $1', [first]);
      expect(await found()).toEqual([`seal ${second}`]);
    });
  });
});
