import type { SecretBox } from '../../../kernel/common';
import { hashOf, NO_HASH, readEntry } from '../chain/entry';
import { type Seal, stateOf } from '../seals/seal';
import type { AuditFinding, FindingKind, Findings } from './finding';
import { differingColumns, type PersonalState, personalState, type StoredRow } from './stored-row';

/** The fewest days after which a span is removed, as the function that does it has them. */
const LEAST_DAYS = 30;
const DAY_MS = 86_400_000;

/** The end of what was looked at. */
interface Head {
  /** Of the last row; null before the first. */
  readonly position: string | null;
  /** What may be the hash before the next row: more than one where it is not known which of two rows was changed. */
  readonly hashes: readonly Buffer[];
  /** The last row, for sentences. */
  readonly named: string;
}

/** Rows between two seals, as they were found. */
interface Span {
  rows: number;
  first: string | null;
  last: string | null;
  hash: Buffer | null;
  findings: number;
}

const emptySpan = (): Span => ({ rows: 0, first: null, last: null, hash: null, findings: 0 });

/** Counts of what was looked at. */
export interface ChainCounts {
  rows: number;
  /** Rows behind the last seal. */
  unsealed: number;
  seals: number;
  /** Spans and their rows that retention has removed. */
  removed_spans: number;
  removed_rows: number;
  /** Personal parts that were erased. */
  erased: number;
}

/**
 * Follows one chain: rows by {@link row} and seals by {@link seal}, both in the order of positions, a seal behind its rows. What is
 * wrong goes into the findings, and the next row is looked at by itself.
 */
export class ChainCheck {
  private head: Head = { position: null, hashes: [NO_HASH], named: 'the beginning' };
  private sealHashes: readonly Buffer[] = [NO_HASH];
  private span = emptySpan();
  private hasKeptSpan = false;

  /** @param orgId null for the chain of the installation */
  constructor(
    private readonly orgId: string | null,
    private readonly box: SecretBox,
    private readonly findings: Findings,
    private readonly counts: ChainCounts,
  ) {}

  /** Looks at the next row. */
  row(row: StoredRow): void {
    const { head, span } = this;
    const entry = readEntry(row.entry);
    this.counts.rows++;
    const hashes = head.hashes.map((hash) => hashOf(hash, row.entry));
    const fits = hashes.some((hash) => hash.equals(row.hash));
    if (!fits) {
      // What it says of itself tells which of two it is; where even that was changed, it was changed.
      if (entry !== null && entry.position === row.position && entry.previous !== head.position)
        this.find(
          'missing',
          entry.previous ?? row.position,
          null,
          `Rows are missing between ${head.named} and ${nameOf(row)}.`,
        );
      else this.find('changed', row.position, row, `The row ${nameOf(row)} is not as it was added.`);
    } else if (entry === null)
      this.find('changed', row.position, row, `The row ${nameOf(row)} cannot be read.`);
    else this.lookBeside(row, differingColumns(row, entry), personalState(row, entry));
    this.head = {
      position: row.position,
      hashes: fits ? [row.hash] : [row.hash, ...hashes],
      named: nameOf(row),
    };
    span.rows++;
    span.first ??= row.position;
    Object.assign(span, { last: row.position, hash: row.hash });
  }

  /** Looks at the next seal, once all rows of its span were. */
  seal(seal: Seal): void {
    this.counts.seals++;
    const states = this.sealHashes.map((before) => stateOf(this.box, seal, before));
    if (!states.includes('fits')) {
      const why = states.includes('unknown key')
        ? `was made with the key ${seal.key_id}, which is neither SECRET_KEY nor one of SECRET_KEYS_OLD`
        : 'does not fit: it was changed or made without the key, or one before it was taken away';
      this.find('seal', seal.position, null, `The seal up to position ${seal.position} ${why}.`);
      // It may be genuine but for its mac, and the next one have been made after it.
      this.sealHashes = [...this.sealHashes.slice(-1), seal.hash];
      return;
    }
    this.sealHashes = [seal.hash];
    if (seal.removed_at === null) this.keptSpan(seal);
    else this.removedSpan(seal, seal.removed_at);
    this.span = emptySpan();
  }

  /** Ends the chain, once all rows and seals were looked at. */
  end(): void {
    this.counts.unsealed += this.span.rows;
  }

  private lookBeside(row: StoredRow, differing: readonly string[], personal: PersonalState): void {
    if (differing.length > 0)
      this.find(
        'column',
        row.position,
        row,
        `Of the row ${nameOf(row)} what it is found by was changed: ${differing.join(', ')}.`,
      );
    if (personal === 'erased') this.counts.erased++;
    if (personal === 'changed')
      this.find('personal', row.position, row, `Of the row ${nameOf(row)} the personal part was changed.`);
  }

  private keptSpan(seal: Seal): void {
    const { span, head } = this;
    const names = `from position ${seal.first_position} to ${seal.position}`;
    this.hasKeptSpan = true;
    const isAsSealed =
      span.rows === seal.rows && span.first === seal.first_position && span.hash?.equals(seal.hash) === true;
    if (span.last !== seal.position)
      this.find(
        'missing',
        seal.position,
        null,
        `Rows are missing behind ${head.named}: there were ${seal.rows} ${names} when they were sealed.`,
      );
    // Else the rows have said by themselves what is wrong with them.
    else if (!isAsSealed && span.findings === 0)
      this.find(
        'changed',
        seal.first_position,
        null,
        `The rows ${names} fit one another, and are not those that were sealed.`,
      );
    this.head = { ...head, position: seal.position, hashes: [...head.hashes, seal.hash] };
  }

  private removedSpan(seal: Seal, removedAt: Date): void {
    const names = `from position ${seal.first_position} to ${seal.position}`;
    if (this.span.rows > 0)
      this.find('seal', seal.position, null, `The rows ${names} are said to be removed, and are there.`);
    else if (this.hasKeptSpan)
      this.find('missing', seal.position, null, `The rows ${names} were removed before older ones.`);
    else if (removedAt.getTime() - seal.sealed_at.getTime() < LEAST_DAYS * DAY_MS)
      this.find(
        'missing',
        seal.position,
        null,
        `The rows ${names} were removed before they were ${LEAST_DAYS} days old.`,
      );
    this.counts.removed_spans++;
    this.counts.removed_rows += seal.rows;
    this.head = {
      position: seal.position,
      hashes: [seal.hash],
      named: `the removed rows up to position ${seal.position}`,
    };
  }

  private find(kind: FindingKind, position: string, row: StoredRow | null, says: string): void {
    this.span.findings++;
    const of: Pick<AuditFinding, 'at' | 'action'> = {
      at: row?.at.toISOString() ?? null,
      action: row?.action ?? null,
    };
    this.findings.add({ kind, org_id: this.orgId, position, ...of, says });
  }
}

function nameOf({ position, at, action }: StoredRow): string {
  return `${position} (${at.toISOString()}, ${action})`;
}
