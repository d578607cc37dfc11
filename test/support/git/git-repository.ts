import { execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file by its content, a symbolic link by its target, or a submodule by its commit. */
export type RepositoryEntry = string | Buffer | { readonly symlink: string } | { readonly submodule: string };

/** Paths and what is there. */
export type RepositoryFiles = Readonly<Record<string, RepositoryEntry>>;

/** A bare repository that a test fills, and a git server can serve. */
export class GitRepository {
  private constructor(readonly folder: string) {}

  /** @param folder created by this */
  static async create(folder: string): Promise<GitRepository> {
    await mkdir(folder, { recursive: true });
    const repository = new GitRepository(folder);
    await repository.git('init', '--quiet', '--bare', '--initial-branch=main', '.');
    await repository.git('config', 'uploadpack.allowFilter', 'true');
    return repository;
  }

  /** Adds a commit with exactly these files, unchecked. @returns its id */
  async commit(files: RepositoryFiles, branch = 'main'): Promise<string> {
    const before = (await this.git('for-each-ref', `refs/heads/${branch}`)) !== '';
    await this.import(commitStream(files, branch, before));
    return (await this.git('rev-parse', `refs/heads/${branch}`)).trim();
  }

  /** Sets a tag on a branch; an annotated one when it has a message. */
  async tag(name: string, branch = 'main', message?: string): Promise<void> {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost.example'];
    await this.git(
      ...who,
      'tag',
      ...(message === undefined ? [] : ['-a', '-m', message]),
      name,
      `refs/heads/${branch}`,
    );
  }

  /** Runs git in the repository. @returns its output */
  async git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', args, { cwd: this.folder, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  }

  /** Runs git in the repository with an input. @returns its output */
  async gitWithInput(input: string, ...args: string[]): Promise<string> {
    const running = run('git', args, { cwd: this.folder });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  private import(stream: Iterable<Buffer>): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn('git', ['fast-import', '--quiet', '--force'], {
        cwd: this.folder,
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      child.once('error', reject);
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`git fast-import ended with ${String(code)}`)),
      );
      void (async () => {
        for (const part of stream)
          if (!child.stdin.write(part)) await new Promise((drained) => child.stdin.once('drain', drained));
        child.stdin.end();
      })();
    });
  }
}

function* commitStream(files: RepositoryFiles, branch: string, hasParent: boolean): Generator<Buffer> {
  const message = 'Content';
  yield Buffer.from(
    `commit refs/heads/${branch}\ncommitter Test <test@localhost.example> 1700000000 +0000\n` +
      `data ${message.length}\n${message}\n${hasParent ? `from refs/heads/${branch}^0\n` : ''}deleteall\n`,
  );
  for (const [path, entry] of Object.entries(files)) {
    const name = `"${path.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))}"`;
    if (typeof entry === 'object' && 'submodule' in entry) {
      yield Buffer.from(`M 160000 ${entry.submodule} ${name}\n`);
      continue;
    }
    const isLink = typeof entry === 'object' && 'symlink' in entry;
    const content = Buffer.from(isLink ? entry.symlink : entry);
    yield Buffer.from(`M ${isLink ? '120000' : '100644'} inline ${name}\ndata ${content.length}\n`);
    yield content;
    yield Buffer.from('\n');
  }
}
