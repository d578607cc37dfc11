import fc from 'fast-check';
import { newId, SecretBox } from '../../../kernel/common';
import { recorded } from '../../../../test/support/audit/audit-rows';
import { rounds } from '../../../../test/support/rounds';
import { canonicalJson } from '../chain/canonical-json';
import { type ChainHead, hashOf, NO_HASH, readEntry, rowOf } from '../chain/entry';
import { macOf, type Seal } from '../seals/seal';
import { ChainCheck } from './chain-check';
import { type AuditFinding, Findings } from './finding';
import type { StoredRow } from './stored-row';

const ORG = newId();
const BOX = new SecretBox(['a-secret-key-of-tests-0123456789']);

interface Chain {
  readonly rows: StoredRow[];
  readonly seals: Seal[];
}

/** A chain with sealed spans of so many rows each. */
function chainOf(spans: readonly number[]): Chain {
  const chain: Chain = { rows: [], seals: [] };
  let head: ChainHead | null = null;
  let before: Buffer = NO_HASH;
  let position = 0;
  for (const [n, rows] of spans.entries()) {
    const first = position + 1;
    for (let row = 0; row < rows; row++) {
      const { columns, entry, hash, personal } = rowOf(String(++position), recorded(ORG), head);
      head = { position: columns.position, hash };
      const part = { personal_user_id: personal?.userId ?? null, personal: personal?.text ?? null };
      chain.rows.push({ ...columns, entry, hash, ...part, salt: personal?.salt ?? null });
    }
    const sealed_at = new Date(Date.UTC(2026, 0, 1 + n));
    const hash = head?.hash ?? NO_HASH;
    const span = {
      org_id: ORG,
      first_position: String(first),
      position: String(position),
      rows,
      hash,
      sealed_at,
    };
    const key_id = BOX.currentKeyId;
    chain.seals.push({ ...span, id: String(n), mac: macOf(BOX, span, before), key_id, removed_at: null });
    before = hash;
  }
  return chain;
}

function findingsIn({ rows, seals }: Chain): AuditFinding[] {
  const findings = new Findings();
  const counts = { rows: 0, unsealed: 0, seals: 0, removed_spans: 0, removed_rows: 0, erased: 0 };
  const check = new ChainCheck(ORG, BOX, findings, counts);
  const left = [...rows];
  for (const seal of seals) {
    while (left[0] !== undefined && Number(left[0].position) <= Number(seal.position)) {
      check.row(left[0]);
      left.shift();
    }
    check.seal(seal);
  }
  for (const row of left) check.row(row);
  check.end();
  return findings.list;
}

const spans = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 });
/** A chain, and one of its rows. */
const chainAndRow = spans.chain((sizes) =>
  fc.tuple(fc.constant(sizes), fc.nat(sizes.reduce((sum, size) => sum + size, 0) - 1)),
);

describe('a chain of the audit log', () => {
  it('fits as it was added, with personal parts or without', () => {
    fc.assert(
      fc.property(spans, fc.boolean(), (sizes, isErased) => {
        const chain = chainOf(sizes);
        const rows = chain.rows.map((row) => (isErased ? { ...row, personal: null, salt: null } : row));
        expect(findingsIn({ ...chain, rows })).toEqual([]);
      }),
      { numRuns: rounds(500, 50) },
    );
  });

  it('does not fit without any one of its rows, which it names', () => {
    fc.assert(
      fc.property(chainAndRow, ([sizes, n]) => {
        const chain = chainOf(sizes);
        const [removed] = chain.rows.splice(n, 1);
        expect(findingsIn(chain)).toMatchObject([{ kind: 'missing', position: removed?.position }]);
      }),
      { numRuns: rounds(1000, 100) },
    );
  });

  it('does not fit with any one byte of an entry changed, and names the row', () => {
    fc.assert(
      fc.property(chainAndRow, fc.nat(), fc.integer({ min: 1, max: 126 }), ([sizes, n], at, other) => {
        const chain = chainOf(sizes);
        const row = chain.rows[n];
        if (row === undefined) throw new Error('There is no such row.');
        const bytes = Buffer.from(row.entry);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ other;
        chain.rows[n] = { ...row, entry: bytes.toString('latin1') };
        const [first] = findingsIn(chain);
        // A changed digit of `previous` looks like a row that is missing there.
        expect(['changed', 'missing']).toContain(first?.kind);
        if (first?.kind === 'changed') expect(first.position).toBe(row.position);
      }),
      { numRuns: rounds(2000, 200) },
    );
  });

  it('does not fit with any two rows swapped, and names the first of them', () => {
    fc.assert(
      fc.property(chainAndRow, fc.nat(), ([sizes, n], other) => {
        const chain = chainOf(sizes);
        const m = other % chain.rows.length;
        const [one, two] = [chain.rows[n], chain.rows[m]];
        if (one === undefined || two === undefined || n === m) return;
        chain.rows[n] = { ...two, position: one.position };
        chain.rows[m] = { ...one, position: two.position };
        expect(findingsIn(chain)[0]).toMatchObject({
          kind: 'changed',
          position: String(Math.min(n, m) + 1),
        });
      }),
      { numRuns: rounds(1000, 100) },
    );
  });

  it('does not fit without a span of it, whatever is left', () => {
    fc.assert(
      fc.property(chainAndRow, fc.integer({ min: 1, max: 10 }), ([sizes, n], length) => {
        const chain = chainOf(sizes);
        chain.rows.splice(n, length);
        expect(findingsIn(chain).length).toBeGreaterThan(0);
      }),
      { numRuns: rounds(1000, 100) },
    );
  });

  it('does not fit its seals when it is written anew from a row on, with hashes that fit', () => {
    fc.assert(
      fc.property(chainAndRow, ([sizes, n]) => {
        const chain = chainOf(sizes);
        let before = chain.rows[n - 1]?.hash ?? NO_HASH;
        for (const [m, row] of chain.rows.entries()) {
          if (m < n) continue;
          const entry = canonicalJson({ ...(JSON.parse(row.entry) as object), outcome: 'failed' });
          before = hashOf(before, entry);
          chain.rows[m] = { ...row, outcome: 'failed', entry, hash: before };
        }
        expect(findingsIn(chain)[0]).toMatchObject({ kind: 'changed' });
      }),
      { numRuns: rounds(1000, 100) },
    );
  });

  it('does not fit with a seal less, or with one that says something else', () => {
    fc.assert(
      fc.property(spans, fc.nat(), fc.integer({ min: 0, max: 3 }), (sizes, at, what) => {
        const chain = chainOf(sizes);
        const n = at % chain.seals.length;
        const seal = chain.seals[n];
        // Without the last one, its rows are as any that were not sealed yet.
        if (seal === undefined || (what === 0 && n === chain.seals.length - 1)) return;
        const others = [
          [],
          [{ ...seal, rows: seal.rows + 1 }],
          [{ ...seal, sealed_at: new Date(seal.sealed_at.getTime() + 1) }],
          [{ ...seal, mac: hashOf(seal.mac, '') }],
        ];
        chain.seals.splice(n, 1, ...(others[what] ?? []));
        expect(findingsIn(chain)[0]).toMatchObject({ kind: 'seal' });
      }),
      { numRuns: rounds(1000, 100) },
    );
  });

  it('has entries in one spelling, which says the same', () => {
    const json = fc.jsonValue();
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: rounds(3000, 300) },
    );
    expect(canonicalJson({ b: 1, 10: 2, 9: [{ d: null, c: 'é' }] })).toBe(
      '{"10":2,"9":[{"c":"é","d":null}],"b":1}',
    );
    expect(readEntry('{')).toBeNull();
    expect(readEntry('{}')).toBeNull();
  });
});
