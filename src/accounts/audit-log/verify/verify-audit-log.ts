import type { DataSource, EntityManager } from 'typeorm';
import type { SecretBox } from '../../../kernel/common';
import { ChainCheck, type ChainCounts } from './chain-check';
import { type AuditFinding, Findings } from './finding';
import { CHAINS, type Part, rowsIn, sealsIn } from './verify.query';

export type { AuditFinding } from './finding';

const MOST_ROWS = 1_000;
const MOST_CHAINS = 1_000;
/** Before all positions, and before all organizations. */
const FIRST = '-1';
const FIRST_ORG = '00000000-0000-0000-0000-000000000000';

/** What a look at the whole log, or at one chain of it, has come to. */
export interface AuditVerification extends Readonly<ChainCounts> {
  readonly chains: number;
  /** How many things are wrong. */
  readonly damaged: number;
  /** The first hundred of them, chain by chain. */
  readonly findings: readonly AuditFinding[];
}

/**
 * Looks at every row of the audit log and every seal, as they are at one moment, while others write; holds a thousand rows at a
 * time.
 * @param orgId the only organization to look at; null for all, and for the installation
 * @param database without time limits
 */
export function verifyAuditLog(
  database: DataSource,
  box: SecretBox,
  orgId: string | null,
): Promise<AuditVerification> {
  return database.transaction('REPEATABLE READ', async (snapshot) => {
    const findings = new Findings();
    const counts: ChainCounts = {
      rows: 0,
      unsealed: 0,
      seals: 0,
      removed_spans: 0,
      removed_rows: 0,
      erased: 0,
    };
    let chains = 0;
    for await (const chain of orgId === null ? chainsIn(snapshot) : [orgId]) {
      const before = counts.rows + counts.seals;
      await follow(snapshot, chain, new ChainCheck(chain, box, findings, counts));
      if (counts.rows + counts.seals > before) chains++;
    }
    return { chains, ...counts, damaged: findings.count, findings: findings.list };
  });
}

/** The organizations that have a chain, and null for the installation. */
async function* chainsIn(snapshot: EntityManager): AsyncGenerator<string | null> {
  for (let after = FIRST_ORG; ;) {
    const found = await CHAINS.rows(snapshot, [after, MOST_CHAINS]);
    for (const { org_id } of found) yield org_id;
    const last = found.at(-1);
    if (last === undefined) break;
    after = last.org_id;
  }
  yield null;
}

async function follow(snapshot: EntityManager, chain: string | null, check: ChainCheck): Promise<void> {
  const rows = pages(chain, (part) => rowsIn(snapshot, part));
  const next = async () => (await rows.next()).value ?? null;
  let row = await next();
  for await (const seal of pages(chain, (part) => sealsIn(snapshot, part))) {
    for (; row !== null && BigInt(row.position) <= BigInt(seal.position); row = await next()) check.row(row);
    check.seal(seal);
  }
  for (; row !== null; row = await next()) check.row(row);
  check.end();
}

/** All of a chain that is read in parts, in the order of positions. */
async function* pages<Row extends { readonly position: string }>(
  orgId: string | null,
  read: (part: Part) => Promise<Row[]>,
): AsyncGenerator<Row, undefined> {
  for (let after = FIRST; ;) {
    const page = await read({ orgId, after, most: MOST_ROWS });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < MOST_ROWS) return undefined;
    after = last.position;
  }
}
