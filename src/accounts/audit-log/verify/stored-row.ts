import { columnsOf, type Entry, type FilterColumns, personalDigest } from '../chain/entry';

/** A row of the log, with its personal part. */
export interface StoredRow extends FilterColumns {
  readonly entry: string;
  readonly hash: Buffer;
  readonly personal_user_id: string | null;
  /** Null where it was erased, or there was none. */
  readonly personal: string | null;
  readonly salt: Buffer | null;
}

const FOUND_BY = [
  ...(['position', 'org_id', 'id', 'actor_kind', 'actor_user_id', 'action'] as const),
  ...(['target_type', 'target_id', 'outcome'] as const),
];

/** The names of columns that say something else than the entry. */
export function differingColumns(row: StoredRow, entry: Entry): string[] {
  const columns = columnsOf(entry);
  const differing: string[] = FOUND_BY.filter((name) => row[name] !== columns[name]);
  return row.at.getTime() === columns.at.getTime() ? differing : ['at', ...differing];
}

/** What became of the personal part of a row. */
export type PersonalState = 'none' | 'there' | 'erased' | 'changed';

/** Whether the personal part of a row is the one that it was added with. */
export function personalState({ personal, salt, personal_user_id }: StoredRow, entry: Entry): PersonalState {
  const { personal_digest } = entry;
  if (personal === null || salt === null) return personal_digest === null ? 'none' : 'erased';
  const isSame =
    personal_digest === personalDigest(salt, personal) && personal_user_id === columnsOf(entry).actor_user_id;
  return isSame ? 'there' : 'changed';
}
