/** The beginning of a file. */
export interface FileHead {
  /** Size of the whole file. */
  readonly size: number;
  readonly head: Buffer;
}

/** The files of a marketplace, in git or in a folder. Paths are relative, with `/`; the root is `''`. */
export interface Content {
  /** The entry at a path, without following links; null when there is none. */
  kindOf(path: string): Promise<'file' | 'folder' | 'link' | null>;
  /** Names in a folder. */
  names(folder: string): Promise<readonly string[]>;
  /** The target of a link, as written. */
  linkTarget(path: string): Promise<string>;
  /** Prefetches what is going to be read, which is faster in one batch. */
  prefetch(paths: readonly string[]): Promise<void>;
  /** Beginnings of files; those that cannot be read are left out. */
  read(paths: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, FileHead>>;
}

/** What a path resolves to when links are followed. */
type Resolved =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  | { readonly kind: 'absent' | 'outside' | 'loop' };

/** Why a link could not be followed. */
export function linkProblem(kind: 'outside' | 'loop'): string {
  return `is a link that leads ${kind === 'outside' ? 'out of the marketplace' : 'nowhere'}`;
}

const MOST_LINKS = 40;

/** Joins two relative paths. */
export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Follows links as the file system would, but never out of the content. */
export async function resolvePath(content: Content, path: string): Promise<Resolved> {
  const todo = path.split('/');
  let at = '';
  let links = 0;
  for (let segment = todo.shift(); segment !== undefined; segment = todo.shift()) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (at === '') return { kind: 'outside' };
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const next = joinPath(at, segment);
    const kind = await content.kindOf(next);
    if (kind === null) return { kind: 'absent' };
    if (kind === 'link') {
      links += 1;
      if (links > MOST_LINKS) return { kind: 'loop' };
      const target = await content.linkTarget(next);
      if (target.startsWith('/')) return { kind: 'outside' };
      todo.unshift(...target.split('/'));
      continue;
    }
    if (kind === 'file' && todo.some((rest) => rest !== '' && rest !== '.')) return { kind: 'absent' };
    at = next;
    if (kind === 'file') return { kind: 'file', path: at };
  }
  return { kind: 'folder', path: at };
}
