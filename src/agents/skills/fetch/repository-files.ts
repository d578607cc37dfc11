import { Inject, Injectable } from '@nestjs/common';
import { MEBIBYTE, KeyedSemaphore } from '../../../kernel/common';
import { SETTINGS, type Settings, organizationShare } from '../../../kernel/config';
import { RegistrationProblem } from '../registration/registration-problem';
import { FetchService, type WantedRepository } from './fetch.service';
import type { FetchedRepository } from './fetched-repository';

const AT_ONCE = 12;

/**
 * Limits how many repositories the process fetches at once, in all and for one organization, so that slow
 * repositories of one do not block the others.
 */
@Injectable()
export class CloneSlots {
  private readonly slots: KeyedSemaphore<'organization' | 'replica'>;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.slots = new KeyedSemaphore({ organization: organizationShare(AT_ONCE, settings), replica: AT_ONCE });
  }

  /**
   * Runs the work as soon as a slot is free.
   * @throws the signal's reason, when it aborts before that
   */
  run<T>(organization: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.slots.whenFree({ organization, replica: '' }, work, { signal });
  }
}

/** Larger files are left out: a few of them are in memory at a time. */
const MAX_FILE_BYTES = 16 * MEBIBYTE;
const FILES_AT_ONCE = 8;

/** Segments that a path of a repository may not contain. */
const SPECIAL = new Set(['', '.', '..', '.git']);

/** A file of a commit. Links are none. */
export interface RepositoryFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Reads the files of a repository's newest commit, fetched under the rules of marketplaces
 * (docs/decisions/0019-marketplace-sources-are-hostile.md): nothing of it is run or checked out here.
 */
@Injectable()
export class RepositoryFiles {
  /** A separate limit, so that long fetches do not block previews. */
  private readonly slots: CloneSlots;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly fetching: FetchService,
  ) {
    this.slots = new CloneSlots(settings);
  }

  /**
   * Gives all files to `take`, some at a time.
   * @returns the paths of files that were left out because they are too large
   * @throws RegistrationProblem, the signal's reason, or what `take` throws
   */
  async forEach(
    wanted: WantedRepository,
    signal: AbortSignal,
    take: (file: RepositoryFile) => Promise<void>,
  ): Promise<string[]> {
    return this.slots.run(wanted.orgId, signal, () =>
      this.fetching.withRepository(wanted, signal, (repository, limits) =>
        this.read(repository, limits, take),
      ),
    );
  }

  private async read(
    repository: FetchedRepository,
    signal: AbortSignal,
    take: (file: RepositoryFile) => Promise<void>,
  ): Promise<string[]> {
    const files = [...repository.listing.entries].flatMap(([path, { kind, id }]) =>
      kind === 'file' && !path.split('/').some((part) => SPECIAL.has(part)) ? [{ path, id }] : [],
    );
    const { MARKETPLACE_MAX_FILES: most, MARKETPLACE_MAX_MEBIBYTES: mebibytes } = this.settings;
    if (files.length > most) throw new RegistrationProblem(`the repository has more than ${most} files`);
    await repository.prefetch(files.map(({ id }) => id));
    const tooLarge: string[] = [];
    let left = mebibytes * MEBIBYTE;
    for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
      signal.throwIfAborted();
      const some = files.slice(start, start + FILES_AT_ONCE);
      const ids = [...new Set(some.map(({ id }) => id))];
      const blobs = await repository.read(ids, MAX_FILE_BYTES);
      const whole = some.flatMap(({ path, id }) => {
        const blob = blobs.get(id);
        if (blob?.size === blob?.head.length && blob !== undefined) return [{ path, bytes: blob.head }];
        tooLarge.push(path);
        return [];
      });
      left -= whole.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (left < 0) throw new RegistrationProblem(`the repository is larger than ${mebibytes} MiB`);
      await Promise.all(whole.map(take));
    }
    return tooLarge;
  }
}
