import { RegistrationProblem } from '../registration/registration-problem';
import type { FetchedRepository } from '../fetch/fetched-repository';
import type { Content, FileHead } from './content';

const MOST_LINKS = 5_000;
const MOST_MANIFESTS = 50;
const LONGEST_TARGET = 4_096;

/** The files of a fetched commit; links are resolved among git's objects, not on a file system. */
export class GitContent implements Content {
  private constructor(
    private readonly repository: FetchedRepository,
    private readonly targets: ReadonlyMap<string, string>,
  ) {}

  /** Fetches all links and possible manifests in one request, since each further one costs time. */
  static async open(repository: FetchedRepository): Promise<GitContent> {
    const { entries } = repository.listing;
    const links: [string, string][] = [];
    const manifests: string[] = [];
    for (const [path, { kind, id }] of entries) {
      if (kind === 'link') links.push([path, id]);
      else if (path.endsWith('marketplace.json') && manifests.length < MOST_MANIFESTS) manifests.push(id);
    }
    if (links.length > MOST_LINKS)
      throw new RegistrationProblem(`the repository has more than ${MOST_LINKS} links`);
    await repository.prefetch([...links.map(([, id]) => id), ...manifests]);
    const blobs = await repository.read(
      links.map(([, id]) => id),
      LONGEST_TARGET,
    );
    return new GitContent(
      repository,
      new Map(links.map(([path, id]) => [path, blobs.get(id)?.head.toString() ?? ''])),
    );
  }

  kindOf(path: string): Promise<'file' | 'folder' | 'link' | null> {
    const kind = this.repository.listing.entries.get(path)?.kind ?? null;
    return Promise.resolve(kind === 'submodule' ? null : kind);
  }

  names(folder: string): Promise<readonly string[]> {
    return Promise.resolve(this.repository.listing.names(folder));
  }

  linkTarget(path: string): Promise<string> {
    return Promise.resolve(this.targets.get(path) ?? '');
  }

  prefetch(paths: readonly string[]): Promise<void> {
    return this.repository.prefetch([...this.ids(paths).values()]);
  }

  async read(paths: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, FileHead>> {
    const ids = this.ids(paths);
    const blobs = await this.repository.read([...new Set(ids.values())], keepBytes);
    const found = new Map<string, FileHead>();
    for (const [path, id] of ids) {
      const blob = blobs.get(id);
      if (blob) found.set(path, blob);
    }
    return found;
  }

  private ids(paths: readonly string[]): Map<string, string> {
    const ids = new Map<string, string>();
    for (const path of paths) {
      const entry = this.repository.listing.entries.get(path);
      if (entry) ids.set(path, entry.id);
    }
    return ids;
  }
}
