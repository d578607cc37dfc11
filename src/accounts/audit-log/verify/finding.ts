/** What is wrong with the log: rows that are not there, or say something else than they did, and seals that do not fit. */
export type FindingKind = 'missing' | 'changed' | 'column' | 'personal' | 'seal';

/** One thing that is wrong with the log. */
export interface AuditFinding {
  readonly kind: FindingKind;
  /** The organization; null for the chain of the installation. */
  readonly org_id: string | null;
  /** Of the row; of rows that are missing, the last position that is known of them; of a seal, the end of its span. */
  readonly position: string;
  /** When what the row says happened; null where it is missing or cannot be read. */
  readonly at: string | null;
  readonly action: string | null;
  /** A sentence. */
  readonly says: string;
}

/** What was found in chains. */
export class Findings {
  private static readonly MOST = 100;
  /** The first ones. */
  readonly list: AuditFinding[] = [];
  /** How many there are. */
  count = 0;

  add(finding: AuditFinding): void {
    this.count++;
    if (this.list.length < Findings.MOST) this.list.push(finding);
  }
}
