import { Inject, Injectable } from '@nestjs/common';
import { MEBIBYTE, ownersFor, type Person } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { GitProxy } from '../git-proxy/git-proxy';
import { GitUpstream } from './git-upstream';
import { RegistrationProblem } from '../registration/registration-problem';
import { FetchedRepository } from './fetched-repository';
import { GitProcesses } from './git/git-processes';
import { InstalledGit } from './git/installed-git';
import { TemporaryFolders } from './temporary-folders';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitCredentialsRepository } from '../../git-credentials';
import { credentialFor, type GitCredential } from './git/git-environment';

/** The owners of usable credentials: the organization, and before it a user. */
type CredentialUser = Person | { readonly orgId: string; readonly userId: null };

/** Finds the credential for a repository among those that people keep, and behind them `GIT_CREDENTIALS`. */
@Injectable()
export class KeptCredentials {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly kept: GitCredentialsRepository,
  ) {}

  /** @returns null where nobody has one for this address */
  async forUrl(url: string, user: CredentialUser): Promise<GitCredential | null> {
    const { orgId } = user;
    const owners = user.userId === null ? [user] : ownersFor(user);
    const kept = credentialFor(url, orgId, await this.kept.opened(owners));
    return kept ?? credentialFor(url, orgId, this.settings.GIT_CREDENTIALS);
  }
}

const INTERVAL_MS = 100;

/**
 * Watches the size of a folder while a fetch fills it; bytes on the network may be compressed, so counting those
 * is not enough.
 * @param onTooLarge called once
 * @param done stops watching
 */
async function watchFolderSize(
  folder: string,
  maxBytes: number,
  onTooLarge: () => void,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    if ((await folderSize(folder, maxBytes)) > maxBytes) {
      onTooLarge();
      return;
    }
    await sleep(INTERVAL_MS, undefined, { signal: done, ref: false }).catch(() => undefined);
  }
}

/** The size of a folder's files; counting stops beyond `maxBytes`. */
async function folderSize(folder: string, maxBytes: number): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined && bytes <= maxBytes; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += (await stat(path).catch(() => null))?.size ?? 0;
    }
  }
  return bytes;
}

/** The repository to fetch, and the owners of usable credentials. */
export type WantedRepository = CredentialUser & {
  readonly url: string;
  /** Branch, tag or commit; null for the default branch. */
  readonly ref: string | null;
};

/** Fetches repositories, always from their source, each within its limits, and deletes them afterwards. */
@Injectable()
export class FetchService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly proxy: GitProxy,
    private readonly folders: TemporaryFolders,
    private readonly git: InstalledGit,
    private readonly processes: GitProcesses,
    private readonly credentials: KeptCredentials,
    private readonly upstream: GitUpstream,
  ) {}

  /**
   * Fetches a repository and lets `read` read it; afterwards it is deleted.
   * @param url as `parseSource` returns it
   * @param ref branch, tag or commit; null for the default branch
   * @throws RegistrationProblem, or the signal's reason
   */
  async withRepository<T>(
    { url: address, ref, ...user }: WantedRepository,
    signal: AbortSignal,
    read: (repository: FetchedRepository, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { MARKETPLACE_MAX_MEBIBYTES: mebibytes } = this.settings;
    await this.git.assertUsable();
    const limit = new AbortController();
    const tooLarge = () =>
      limit.abort(new RegistrationProblem(`the repository is larger than ${mebibytes} MiB`));
    const both = AbortSignal.any([signal, limit.signal]);
    const maxBytes = mebibytes * MEBIBYTE;
    const credential = await this.credentials.forUrl(address, user);
    const url = credential === null ? address : await this.upstream.locate(address, credential, both);
    return this.folders.within(async (folder) => {
      const proxy = await this.proxy.open(maxBytes, tooLarge, credential === null ? null : new URL(url).host);
      const done = new AbortController();
      const watch = watchFolderSize(folder, maxBytes, tooLarge, done.signal);
      try {
        const repository = await FetchedRepository.fetch({
          url,
          ref,
          folder,
          credential,
          signal: both,
          processes: this.processes,
          proxyUrl: proxy.url,
          refusal: () => proxy.session.problem,
        });
        return await read(repository, both);
      } finally {
        proxy.close();
        done.abort();
        await watch;
      }
    });
  }
}
