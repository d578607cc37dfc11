import { StringDecoder } from 'node:string_decoder';
import { MEBIBYTE } from '../../../kernel/common';
import { RegistrationProblem } from '../registration/registration-problem';

/** The entry at a path of a commit. */
interface TreeEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'submodule';
  readonly id: string;
}

/** Entries of a tree, or of a folder, that may be listed. */
export const MOST_ENTRIES = 200_000;
/** The limit of all paths together, since they are kept in memory. */
const MOST_BYTES = 32 * MEBIBYTE;
const ENTRY = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/s;

/** Parses the output of `git ls-tree -r -t -z`, and stops it when the tree is too large. */
export class TreeListing {
  readonly entries = new Map<string, TreeEntry>();
  private readonly decoder = new StringDecoder('utf8');
  private readonly namesIn = new Map<string, string[]>([['', []]]);
  private bytes = 0;
  private rest = '';

  /** @throws RegistrationProblem when there are too many entries */
  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const records = (this.rest + this.decoder.write(chunk)).split('\0');
    this.rest = records.pop() ?? '';
    for (const record of records) this.addEntry(record);
    if (this.entries.size > MOST_ENTRIES)
      throw new RegistrationProblem(`the repository has more than ${MOST_ENTRIES} files and folders`);
    if (this.bytes > MOST_BYTES)
      throw new RegistrationProblem('the paths of the repository take more than 32 MiB');
  }

  /** Names in a folder; none when there is no such folder. */
  names(folder: string): readonly string[] {
    return this.namesIn.get(folder) ?? [];
  }

  private addEntry(record: string): void {
    const [, mode, id, path] = ENTRY.exec(record) ?? [];
    if (mode === undefined || id === undefined || path === undefined) return;
    const kind = KINDS[mode.slice(0, 2)] ?? 'file';
    this.entries.set(path, { kind, id });
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    const names = this.namesIn.get(folder);
    if (names) names.push(path.slice(slash + 1));
    else this.namesIn.set(folder, [path.slice(slash + 1)]);
  }
}

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = {
  '04': 'folder',
  '12': 'link',
  '16': 'submodule',
};
