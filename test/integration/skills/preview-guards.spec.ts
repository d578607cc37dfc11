import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestGitServer } from '../../support/git/git-server';
import { manifest, TestPreview } from '../../support/git/marketplaces';
import { recordProcesses, type SeenProcess } from '../../support/processes-in';

/** Git itself: what it is made of is called `git` or `git-…`. */
const GIT = /^git(-|$)/;
/** The process that starts git: what it starts bears its name until git is loaded. */
const HELPER = /\/git-helper\.[jt]s /;

describe('what strangers cannot make the preview do', () => {
  let git: TestGitServer;
  let canary: Server;
  let canaryPort: number;
  let touched = 0;
  /** Whatever a program could leave behind lands here. */
  let traces: string;
  let preview: TestPreview;
  const before = { ...process.env };

  beforeAll(async () => {
    canary = createServer((socket) => {
      touched += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    canaryPort = (canary.address() as AddressInfo).port;
    traces = await mkdtemp(join(tmpdir(), 'traces-'));
    git = await TestGitServer.start();
    preview = await TestPreview.start({ GIT_ALLOWED_HOSTS: git.host });
  });
  afterAll(async () => {
    await preview.close();
    await git.close();
    canary.close();
    await rm(traces, { recursive: true, force: true });
  });
  beforeEach(() => {
    touched = 0;
    git.behaviour = {};
  });
  afterEach(async () => {
    process.env = { ...before };
    expect(touched).toBe(0);
    expect((await readdir(traces)).filter((name) => name.startsWith('trace'))).toEqual([]);
  });

  function onlyGit(seen: readonly SeenProcess[]): void {
    const others = seen.filter(({ name, commandLine }) => !GIT.test(name) && !HELPER.test(commandLine));
    expect(others).toEqual([]);
  }

  it.each([
    'ext::sh -c touch% trace',
    "ext::sh -c 'touch trace'",
    '--upload-pack=touch trace',
    '-uTRACE',
    'ssh://-oProxyCommand=touch trace/x',
    'git@-oProxyCommand=touch:x',
    'file:///etc',
    'fd::17',
    'transport::http://127.0.0.1:PORT/x',
    'git://127.0.0.1:PORT/x',
    'ssh://127.0.0.1:PORT/x',
    'ftp://127.0.0.1:PORT/x',
    'http://127.0.0.1:PORT/x',
    'http://localhost:PORT/x',
    'https://127.0.0.1:PORT/x',
    'https://localhost:PORT/x',
    'https://localhost.:PORT/x',
    'https://LOCALHOST/x',
    'https://2130706433:PORT/x',
    'https://017700000001:PORT/x',
    'https://0x7f000001/x',
    'https://0177.0.0.1/x',
    'https://127.1:PORT/x',
    'https://0/x',
    'https://[::1]:PORT/x',
    'https://[::ffff:127.0.0.1]:PORT/x',
    'https://[::ffff:7f00:1]/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/x',
    'https://user@127.0.0.1:PORT/x',
    'https://127.0.0.1:PORT#@public.example/x',
    'https://public.example:80@127.0.0.1:PORT/x',
  ])('come anywhere with %s', async (template) => {
    const source = template.replaceAll('PORT', String(canaryPort)).replaceAll('trace', `${traces}/trace`);
    const { result, seen } = await recordProcesses(preview.dataDir, () => preview.preview([{ source }]));
    expect(result.errors).toHaveLength(1);
    expect(result.plugins).toEqual([]);
    onlyGit(seen);
  });

  it.each([
    'http://127.0.0.1:PORT',
    'https://127.0.0.1:PORT',
    'https://localhost.',
    'file:///etc',
    'ext::sh',
  ])('be led to %s by a redirect', async (target) => {
    git.behaviour = { redirect: { from: '/moved.git', to: target.replace('PORT', String(canaryPort)) } };
    const { result, seen } = await recordProcesses(preview.dataDir, () =>
      preview.preview([{ source: git.url('moved') }]),
    );
    expect(result.errors).toHaveLength(1);
    onlyGit(seen);
  });

  it('be led elsewhere by the alternates of a static server', async () => {
    const repository = await git.repository('alternates', { a: 'b' });
    await repository.git('update-server-info');
    await writeFile(
      join(repository.folder, 'objects/info/http-alternates'),
      `http://127.0.0.1:${canaryPort}/objects/\n`,
    );
    for (const name of await readdir(join(repository.folder, 'objects')))
      if (name !== 'info') await rm(join(repository.folder, 'objects', name), { recursive: true });
    git.behaviour = { dumb: true };
    const { errors } = await preview.preview([{ source: git.url('alternates') }]);
    expect(errors).toHaveLength(1);
  });

  it('run anything of the repository: hooks, filters, submodules, configuration', async () => {
    const touch = `touch ${traces}/trace`;
    await git.repository('armed', {
      '.plugin/marketplace.json': manifest([{ name: 'armed' }]),
      '.gitattributes': '* filter=lfs diff=evil merge=evil\n',
      '.lfsconfig': `[lfs]\n\turl = http://127.0.0.1:${canaryPort}/lfs\n`,
      '.gitconfig': `[core]\n\tfsmonitor = ${touch}\n[filter "lfs"]\n\tsmudge = ${touch}\n`,
      '.gitmodules': [
        `[submodule "a"]\n\tpath = a\n\turl = http://127.0.0.1:${canaryPort}/a\n\tupdate = !${touch}\n`,
        `[submodule "b"]\n\tpath = b\n\turl = ext::${touch}\n`,
        `[submodule "-c"]\n\tpath = -c\n\turl = --upload-pack=${touch}\n`,
      ].join(''),
      a: { submodule: 'a'.repeat(40) },
      b: { submodule: 'b'.repeat(40) },
      'hooks/post-checkout': `#!/bin/sh\n${touch}\n`,
      '.git-hooks/reference-transaction': `#!/bin/sh\n${touch}\n`,
    });
    // Slow enough for git to be seen at work.
    git.behaviour = { delayMs: 1_000 };
    const { result, seen } = await recordProcesses(preview.dataDir, () =>
      preview.preview([
        { name: 'armed', source: git.url('armed') },
        { name: 'submodule', source: git.url('armed'), repo_path: 'a' },
      ]),
    );
    expect(result.plugins.map(({ name }) => name)).toEqual(['armed']);
    expect(result.errors).toEqual(['submodule: there is no folder "a"']);
    expect(seen.some(({ name }) => GIT.test(name))).toBe(true);
    onlyGit(seen);
  });

  it('profit from the configuration and the environment of the machine', async () => {
    await git.repository('plain', { '.plugin/marketplace.json': manifest([{ name: 'plain' }]) });
    const home = join(traces, 'home');
    const template = join(home, 'template/hooks');
    await mkdir(template, { recursive: true });
    const program = join(home, 'program');
    await writeFile(program, `#!/bin/sh\ntouch ${traces}/trace\n`);
    await chmod(program, 0o700);
    await symlink(program, join(template, 'reference-transaction'));
    await writeFile(
      join(home, '.gitconfig'),
      [
        `[url "http://127.0.0.1:${canaryPort}/"]\n\tinsteadOf = http://${git.host}/`,
        `[core]\n\thooksPath = ${template}\n\tfsmonitor = ${program}\n\taskPass = ${program}`,
        `[credential]\n\thelper = ${program}`,
        `[http]\n\tproxy = http://127.0.0.1:${canaryPort}`,
        `[init]\n\ttemplateDir = ${join(home, 'template')}\n`,
      ].join('\n'),
    );
    const host = `http://127.0.0.1:${canaryPort}`;
    process.env = {
      ...before,
      HOME: home,
      XDG_CONFIG_HOME: home,
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
      http_proxy: host,
      https_proxy: host,
      ALL_PROXY: host,
      NO_PROXY: '*',
      no_proxy: '127.0.0.1',
      GIT_ASKPASS: program,
      SSH_ASKPASS: program,
      GIT_SSH_COMMAND: program,
      GIT_PROXY_COMMAND: program,
      GIT_EXTERNAL_DIFF: program,
      GIT_EXEC_PATH_EXTRA: home,
      GIT_TEMPLATE_DIR: join(home, 'template'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.proxy',
      GIT_CONFIG_VALUE_0: host,
    };
    git.behaviour = { auth: { prefix: '/locked', username: 'a', password: 'b' } };
    const { result, seen } = await recordProcesses(preview.dataDir, () =>
      preview.preview([
        { name: 'plain', source: git.url('plain') },
        { name: 'locked', source: git.url('locked') },
      ]),
    );
    expect(result.plugins.map(({ name }) => name)).toEqual(['plain']);
    expect(result.errors).toEqual([
      'locked: the repository asks for credentials that this service does not have for it',
    ]);
    onlyGit(seen);
  });

  describe('with local paths', () => {
    let root: string;
    let local: TestPreview;

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'local-root-'));
      await mkdir(join(root, 'inside/market/.plugin'), { recursive: true });
      await mkdir(join(root, 'inside/market2'));
      await writeFile(join(root, 'inside/market/.plugin/marketplace.json'), manifest([{ name: 'local' }]));
      await writeFile(join(traces, 'secret.md'), '---\nname: secret\n---\n');
      await mkdir(join(root, 'inside/market2/skills'));
      await symlink(join(traces, 'secret.md'), join(root, 'inside/market2/skills/out.md'));
      await symlink('../../../../../../etc/passwd', join(root, 'inside/market2/skills/far.md'));
      await symlink(traces, join(root, 'out'));
      await symlink(join(root, 'inside/market'), join(root, 'absolute'));
      local = await TestPreview.start({ GIT_LOCAL_ROOT: root });
    });
    afterAll(async () => {
      await local.close();
      await rm(root, { recursive: true, force: true });
    });

    it('leave the root that the operator set', async () => {
      const response = await local.preview([
        { name: 'inside', source: 'inside/market' },
        { name: 'absolute', source: 'absolute' },
        { name: 'out', source: 'out' },
        { name: 'links', source: 'inside/market2' },
        { name: 'up', source: 'inside/../../x' },
        { name: 'nowhere', source: 'nowhere' },
        { name: 'ref', source: 'inside/market', ref: 'main' },
        { name: 'sub', source: 'inside', repo_path: 'market' },
      ]);
      expect(response.plugins.map(({ marketplace }) => marketplace)).toEqual(['inside', 'absolute']);
      expect(response.skills).toEqual([]);
      expect(response.errors).toEqual([
        'out: the folder "out" is a link that leads out of the marketplace',
        'links: "skills/far.md" is a link that leads out of the marketplace',
        'links: "skills/out.md" is a link that leads out of the marketplace',
        'up: the folder "inside/../../x" is a link that leads out of the marketplace',
        'nowhere: there is no folder "nowhere"',
        'ref: ref is for git sources only',
        'sub: repo_path is for git sources only',
      ]);
    });
  });
});
