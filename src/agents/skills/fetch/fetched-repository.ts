import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RegistrationProblem } from '../registration/registration-problem';
import { registrationProblemOf } from './git-upstream';
import { gitEnvironment, type GitContext } from './git/git-environment';
import type { GitOutcome, GitProcesses } from './git/git-processes';
import { TreeListing } from './tree-listing';

/** The beginning of a blob. */
interface BlobHead {
  readonly id: string;
  /** The size of the whole blob. */
  readonly size: number;
  readonly head: Buffer;
}

/** Parses the output of `git cat-file --batch`: for each blob a header line, its bytes and a newline. */
class BlobStream {
  private pending: Buffer = Buffer.alloc(0);
  private current: { id: string; size: number; left: number; parts: Buffer[]; kept: number } | null = null;

  /** @param keepBytes how much of each blob is kept; the rest is discarded as it arrives */
  constructor(
    private readonly keepBytes: number,
    private readonly onBlob: (blob: BlobHead) => void,
  ) {}

  add(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.current ? this.takeBytes(rest) : this.takeHeader(rest);
  }

  private takeHeader(chunk: Buffer): Buffer {
    const data = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    const end = data.indexOf('\n');
    if (end === -1) {
      this.pending = data;
      return Buffer.alloc(0);
    }
    this.pending = Buffer.alloc(0);
    const [id = '', type, size] = data.toString('latin1', 0, end).split(' ');
    // For a missing blob the header is `<id> missing`, and no bytes follow.
    if (type === 'blob')
      this.current = { id, size: Number(size), left: Number(size) + 1, parts: [], kept: 0 };
    return data.subarray(end + 1);
  }

  private takeBytes(chunk: Buffer): Buffer {
    const blob = this.current;
    if (!blob) return chunk;
    const taken = chunk.subarray(0, blob.left);
    blob.left -= taken.length;
    const wanted = Math.min(blob.size, this.keepBytes) - blob.kept;
    if (wanted > 0) {
      const part = taken.subarray(0, wanted);
      blob.parts.push(part);
      blob.kept += part.length;
    }
    if (blob.left === 0) {
      this.current = null;
      this.onBlob({ id: blob.id, size: blob.size, head: Buffer.concat(blob.parts) });
    }
    return chunk.subarray(taken.length);
  }
}

/** How much is fetched: file contents on demand; those of one commit; everything. */
type Extent = 'blobless' | 'shallow' | 'complete';

const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;
/** What may be the beginning of a commit's id. */
const SHORT_COMMIT = /^[0-9a-f]{4,63}$/i;
const NO_SUCH_REF = /couldn't find remote ref/i;
/** Matches when the server cannot send only a part of the repository. */
const PARTS_REFUSED =
  /dumb http transport|does not support shallow|not our ref|unadvertised object|does not support (filter|--filter)|expected 'packfile'/i;

/** Matches when the server ignored the filter and sent file contents as well. */
const FILTER_IGNORED = /filtering not recognized by server/i;

interface FetchRequest extends Omit<GitContext, 'repository'> {
  /** Branch, tag or commit; null for the default branch. */
  readonly ref: string | null;
  readonly processes: GitProcesses;
  readonly signal: AbortSignal;
  /** Why the proxy refused a connection, if it did. */
  readonly refusal: () => RegistrationProblem | null;
}

/**
 * One commit of a repository, freshly fetched. Nothing is ever checked out: git's objects are read as data,
 * so hooks, filters, attributes, submodules and links have no effect.
 */
export class FetchedRepository {
  private readonly fetchedIds = new Set<string>();

  private constructor(
    private readonly request: FetchRequest,
    private extent: Extent,
    private repository: string,
    readonly listing: TreeListing,
  ) {}

  /**
   * Fetches the commit with its tree; file contents are fetched when read, where the server supports that.
   * @throws RegistrationProblem
   */
  static async fetch(request: FetchRequest): Promise<FetchedRepository> {
    const fetched = new FetchedRepository(request, 'blobless', '', new TreeListing());
    await fetched.fetchCommit();
    await fetched.list();
    return fetched;
  }

  /**
   * Reads blobs; missing ones are left out.
   * @param keepBytes how much of each is kept
   */
  async read(ids: readonly string[], keepBytes: number): Promise<ReadonlyMap<string, BlobHead>> {
    const found = new Map<string, BlobHead>();
    if (ids.length === 0) return found;
    await this.prefetch(ids);
    const stream = new BlobStream(keepBytes, (blob) => found.set(blob.id, blob));
    const outcome = await this.git(['cat-file', '--batch', '--buffer'], {
      input: lines(ids),
      onOutput: (chunk) => stream.add(chunk),
    });
    if (!outcome.ok) throw this.problem(outcome);
    return found;
  }

  /** Fetches the blobs that are not here yet, in one request. */
  async prefetch(ids: readonly string[]): Promise<void> {
    if (this.extent !== 'blobless') return;
    const missing = ids.filter((id) => !this.fetchedIds.has(id));
    if (missing.length === 0) return;
    const outcome = await this.git(
      [
        '-c',
        'fetch.negotiationAlgorithm=noop',
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--filter=blob:none',
        '--stdin',
        'origin',
      ],
      { input: lines(missing) },
    );
    if (outcome.ok) for (const id of missing) this.fetchedIds.add(id);
    else if (PARTS_REFUSED.test(outcome.messages)) {
      this.extent = 'shallow';
      await this.fetchCommit();
    } else throw this.problem(outcome);
  }

  private async fetchCommit(): Promise<void> {
    this.repository = join(this.request.folder, this.extent);
    await makeBareRepository(this.repository);
    const outcome = await this.fetchRef();
    if (outcome.ok) {
      if (FILTER_IGNORED.test(outcome.messages)) this.extent = 'shallow';
      return;
    }
    if (this.extent === 'complete' || !PARTS_REFUSED.test(outcome.messages))
      throw (await this.refProblem(outcome)) ?? this.problem(outcome);
    this.extent = 'complete';
    await this.fetchCommit();
  }

  /** Git itself would take the tag of a name that a branch has, too. */
  private async fetchRef(): Promise<GitOutcome> {
    const { ref } = this.request;
    if (ref === null) return this.fetchOne('HEAD');
    if (COMMIT.test(ref)) return this.fetchOne(ref.toLowerCase());
    if (ref.startsWith('refs/')) return this.fetchOne(ref);
    const branch = await this.fetchOne(`refs/heads/${ref}`);
    return NO_SUCH_REF.test(branch.messages) ? this.fetchOne(ref) : branch;
  }

  private fetchOne(ref: string): Promise<GitOutcome> {
    const filter = this.extent === 'blobless' ? ['--filter=blob:none'] : [];
    const args =
      this.extent !== 'complete'
        ? ['--depth=1', '--no-tags', ...filter, '--', 'origin', ref]
        : COMMIT.test(ref)
          ? ['--', 'origin', '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
          : ['--no-tags', '--', 'origin', ref];
    return this.git(['fetch', '--quiet', ...args]);
  }

  /** The problem with a ref that git reports as missing; null for other messages. */
  private async refProblem({ messages }: GitOutcome): Promise<RegistrationProblem | null> {
    const { ref } = this.request;
    if (!NO_SUCH_REF.test(messages)) return null;
    if (ref !== null)
      return SHORT_COMMIT.test(ref)
        ? new RegistrationProblem(
            'the repository has no such branch or tag, and of a commit the whole id is needed',
          )
        : null;
    let bytes = 0;
    await this.git(['ls-remote', '--quiet', '--', 'origin'], {
      onOutput: (chunk) => (bytes += chunk.length),
    });
    return bytes > 0
      ? new RegistrationProblem('the default branch of the repository is not there: `ref` has to name one')
      : null;
  }

  private async list(): Promise<void> {
    const { ref } = this.request;
    const commit = ref !== null && COMMIT.test(ref) ? ref.toLowerCase() : 'FETCH_HEAD';
    const outcome = await this.git(['ls-tree', '-r', '-t', '-z', '--full-tree', commit], {
      onOutput: (chunk) => this.listing.add(chunk),
    });
    if (!outcome.ok) throw this.problem(outcome);
  }

  private git(
    args: readonly string[],
    io: { readonly input?: string; readonly onOutput?: (chunk: Buffer) => void } = {},
  ): Promise<GitOutcome> {
    const { folder, processes, signal } = this.request;
    const env = gitEnvironment({ ...this.request, repository: this.repository });
    return processes.run({ args, env, cwd: folder, signal, ...io });
  }

  /** The proxy's reason says more than git's message about it. */
  private problem(outcome: GitOutcome): RegistrationProblem {
    return this.request.refusal() ?? registrationProblemOf(outcome.messages);
  }
}

/** Does what `git init` does, without a process, which would cost more than the rest of a small fetch. */
async function makeBareRepository(folder: string): Promise<void> {
  await Promise.all(['objects', 'refs'].map((name) => mkdir(join(folder, name), { recursive: true })));
  await Promise.all([
    writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n'),
    writeFile(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'),
  ]);
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}
