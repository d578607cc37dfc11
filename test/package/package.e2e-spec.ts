import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '..', '..');
const EXAMPLE = join('examples', 'enterprise-extension');

/** Runs npm. @throws Error with its output */
function npm(cwd: string, ...args: string[]): string {
  const env = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' };
  try {
    return execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`npm ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error });
  }
}

describe('the package', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'package-'));
    // PostgreSQL runs as a user of its own when the tests run as root.
    chmodSync(folder, 0o755);
    npm(ROOT, 'pack', '--silent', '--pack-destination', folder);
    cpSync(join(ROOT, EXAMPLE), join(folder, EXAMPLE), {
      recursive: true,
      filter: (path) => !/node_modules|dist$/.test(path.slice(ROOT.length)),
    });
    npm(join(folder, EXAMPLE), 'install');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('can be imported by an ES module, by name', () => {
    const script = `
      import { createRequire } from 'node:module';
      const require = createRequire(process.cwd() + '/');
      for (const entry of ['org-conversation-service', 'org-conversation-service/testing']) {
        const named = await import(entry);
        const names = Object.keys(require(entry));
        console.log(names.length > 0, names.filter((name) => !(name in named)));
      }`;
    const example = join(folder, EXAMPLE);
    const args = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { cwd: example, encoding: 'utf8' })).toBe(
      'true []\ntrue []\n',
    );
  });

  it('has all that an extension needs: the example builds against its types, and its own tests pass', () => {
    const example = join(folder, EXAMPLE);
    npm(example, 'run', '--silent', 'build');
    expect(npm(example, 'test')).toMatch(/^(#|ℹ) pass 13$/m);
  });

  it('brings along what Python agent servers are forked by', () => {
    const forks = join(folder, EXAMPLE, 'node_modules/org-conversation-service/dist/drivers/forks');
    expect(readdirSync(forks)).toEqual(expect.arrayContaining(['fork_server.py', 'sitecustomize.py']));
  });

  it('carries the documents and the example, whose own tests are among it', () => {
    const packed = join(folder, EXAMPLE, 'node_modules/org-conversation-service');
    expect(readdirSync(join(packed, 'docs'))).toEqual(expect.arrayContaining(['extending.md', 'api']));
    expect(readdirSync(join(packed, EXAMPLE)).sort()).toEqual([
      'package.json',
      'pages',
      'src',
      'test',
      'tsconfig.json',
    ]);
  });

  it('names commands in its help that its folder has', () => {
    const help = npm(join(folder, EXAMPLE), 'exec', '--', 'org-conversation-service', 'cli', 'help');
    expect(help).toMatch(/^Usage: npx org-conversation-service cli COMMAND/);
  });

  it.each([
    ['npx org-conversation-service', 404],
    ['npm start', 401],
    ['npm run start:program', 401],
  ])('is started by %s; the route of the extension answers a stranger with %i', async (command, status) => {
    const child = spawn(command, {
      cwd: join(folder, EXAMPLE),
      shell: true,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', DATA_DIR: join(folder, command) },
    });
    // Not when the shell exits: the service holds its output as well.
    const ended = once(child, 'close');
    try {
      let url: string | undefined;
      for await (const line of createInterface(child.stdout)) {
        url = /ready: API ([^,]+),/.exec(line)?.[1];
        if (url !== undefined) break;
      }
      expect(url).toBeDefined();
      const budgets = `${url}/api/organizations/00000000-0000-4000-8000-000000000000/acme-budgets`;
      expect((await fetch(budgets)).status).toBe(status);
    } finally {
      child.stdout.resume();
      // The shell, npm and the service, of which none may be left.
      if (child.exitCode === null) process.kill(-(child.pid ?? NaN), 'SIGTERM');
      await ended;
    }
  });

  it('keeps what Node compiled of it for the next start, where Node does that', () => {
    const kept = join(folder, EXAMPLE, 'node_modules/org-conversation-service/dist/.cache');
    expect(existsSync(kept)).toBe(Number.parseInt(process.versions.node) >= 22);
  });
});
