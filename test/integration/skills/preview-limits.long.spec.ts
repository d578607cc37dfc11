import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { scriptOf } from '../../support/compiled/compiled-sources';
import { eventually } from '../../support/eventually';
import { TestGitServer } from '../../support/git/git-server';
import { manifest, TestPreview } from '../../support/git/marketplaces';
import { endAtOnce, helpersOf, processesIn, recordProcesses } from '../../support/processes-in';

const OTHER_ORG = '99999999-2222-4333-8444-555555555555';

describe('the limits of a preview', () => {
  let git: TestGitServer;

  beforeAll(async () => {
    git = await TestGitServer.start();
    await git.repository('good', { '.plugin/marketplace.json': manifest([{ name: 'fine' }]) });
  });
  afterAll(() => git.close());
  beforeEach(() => {
    git.behaviour = {};
    git.requests.length = 0;
  });

  async function withPreview<T>(
    env: Readonly<Record<string, string>>,
    work: (preview: TestPreview) => Promise<T>,
  ): Promise<T> {
    const preview = await TestPreview.start({ GIT_ALLOWED_HOSTS: git.host, ...env });
    try {
      const result = await work(preview);
      expect(await preview.leftovers()).toEqual([]);
      expect(await processesIn(preview.dataDir)).toEqual([]);
      return result;
    } finally {
      await preview.close();
    }
  }

  it('end a fetch that takes too long, and only that one', async () => {
    git.behaviour = { hangOn: 'slow' };
    const { errors, plugins } = await withPreview({ MARKETPLACE_FETCH_SECONDS: '10' }, async (preview) => {
      // The start of git's helper and of the thread that reads texts is not what is timed.
      await preview.preview([{ source: git.url('good') }]);
      return preview.preview([
        { name: 'slow', source: git.url('slow') },
        { name: 'good', source: git.url('good') },
      ]);
    });
    expect(errors).toEqual(['slow: it took longer than 10 s']);
    expect(plugins.map(({ name }) => name)).toEqual(['fine']);
  });

  it('end the whole call', async () => {
    git.behaviour = { hangOn: 'slow' };
    const { errors } = await withPreview({ MARKETPLACE_CALL_SECONDS: '1' }, (preview) =>
      preview.preview([{ name: 'slow', source: git.url('slow') }]),
    );
    expect(errors).toEqual(['slow: the call took longer than 1 s']);
  });

  it('end a fetch that is too large', async () => {
    const repository = await git.repository('large', { 'noise.bin': randomBytes(3_000_000) });
    await repository.git('config', 'uploadpack.allowFilter', 'false');
    const { errors } = await withPreview({ MARKETPLACE_MAX_MEBIBYTES: '1' }, (preview) =>
      preview.preview([{ source: git.url('large') }]),
    );
    expect(errors).toEqual(['team: the repository is larger than 1 MiB']);
  });

  it('are on the files that are read, and not on those that a tree has', async () => {
    const skill = (name: string): [string, string] => [
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\n---\n`,
    ];
    const files = Array.from({ length: 4 }, (_, index) => [
      skill(`s${index}`),
      ...Array.from({ length: 30 }, (__, page): [string, string] => [
        `skills/s${index}/references/${page}.md`,
        '---\nname: x\n---\n',
      ]),
    ]).flat();
    await git.repository('four', Object.fromEntries(files));
    await git.repository('five', Object.fromEntries([...files, skill('s4')]));
    const answer = await withPreview({ MARKETPLACE_MAX_FILES: '4' }, (preview) =>
      preview.preview([
        { name: 'four', source: git.url('four') },
        { name: 'five', source: git.url('five') },
      ]),
    );
    const names = ['s0', 's1', 's2', 's3'];
    expect(answer.marketplace_skills).toEqual({ four: names, five: names });
    expect(answer.errors).toEqual(['five: there are more than 4 skill files; the others are left out']);
  });

  it('let a marketplace of twenty thousand files be read whole', async () => {
    const skills = Array.from({ length: 100 }, (_, index) => `s${index}`);
    const files = Array.from({ length: 20_306 }, (_, index): [string, string] => [
      `skills/s${index % 100}/references/${index}.md`,
      `${index}\n`,
    ]);
    const heads = skills.map((name): [string, string] => [
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\n---\n`,
    ]);
    await git.repository('many', Object.fromEntries([...heads, ...files]));
    const answer = await withPreview({}, (preview) =>
      preview.preview([{ name: 'many', source: git.url('many') }]),
    );
    expect(answer.errors).toEqual([]);
    expect(answer.marketplace_skills.many?.toSorted()).toEqual(skills.toSorted());
  });

  it('are on the memory of every git', async () => {
    git.behaviour = { hangOn: 'slow' };
    await withPreview({}, async (preview) => {
      const clientAbort = new AbortController();
      const response = preview.preview([{ source: git.url('slow') }], { clientAbort: clientAbort.signal });
      // Some of them end before they have been read.
      const bounds = await eventually(async () => {
        const processes = await processesIn(preview.dataDir);
        expect(processes.length).toBeGreaterThan(1);
        return Promise.all(processes.map(({ pid }) => readFile(`/proc/${pid}/limits`, 'utf8')));
      });
      for (const text of bounds) expect(text).toMatch(/^Max data size +536870912 /m);
      clientAbort.abort();
      await response;
    });
  });

  it.each([
    ['#!/bin/sh\necho git version 2.30.9', 'this service has git 2.30.9, and needs git 2.31 or newer'],
    [null, 'this service has no git, and needs git 2.31 or newer'],
  ])('are kept by a git that is new enough only: %j', async (program, sentence) => {
    const folder = await mkdtemp(join(tmpdir(), 'old-git-'));
    const { PATH } = process.env;
    try {
      if (program !== null) await writeFile(join(folder, 'git'), program, { mode: 0o755 });
      process.env.PATH = folder;
      const { errors } = await withPreview({}, (preview) => preview.preview([{ source: git.url('good') }]));
      expect(errors).toEqual([`team: ${sentence}`]);
    } finally {
      process.env.PATH = PATH;
      await rm(folder, { recursive: true });
    }
  });

  it('hold when the process that starts git is killed', async () => {
    git.behaviour = { hangOn: 'slow' };
    await withPreview({}, async (preview) => {
      const response = preview.preview([{ source: git.url('slow') }]);
      await eventually(async () => expect(await processesIn(preview.dataDir)).not.toEqual([]));
      for (const pid of await helpersOf(process.pid)) endAtOnce(pid);
      expect((await response).errors).toEqual(['team: git was ended from outside']);
      await eventually(async () => expect(await processesIn(preview.dataDir)).toEqual([]));
      expect((await preview.preview([{ source: git.url('good') }])).errors).toEqual([]);
    });
  });

  it('stop git when the caller disconnects', async () => {
    git.behaviour = { hangOn: 'slow' };
    await withPreview({}, async (preview) => {
      const clientAbort = new AbortController();
      const response = preview.preview([{ source: git.url('slow') }], { clientAbort: clientAbort.signal });
      await eventually(async () => expect(await processesIn(preview.dataDir)).not.toEqual([]));
      clientAbort.abort();
      await response;
    });
  });

  it('stop git also where DATA_DIR leads to another disk by a link', async () => {
    git.behaviour = { hangOn: 'slow' };
    const disk = await realpath(await mkdtemp(join(tmpdir(), 'marketplaces-disk-')));
    const link = `${disk}-link`;
    await symlink(disk, link);
    try {
      await withPreview({ DATA_DIR: link }, async (preview) => {
        const clientAbort = new AbortController();
        const response = preview.preview([{ source: git.url('slow') }], { clientAbort: clientAbort.signal });
        await eventually(async () =>
          expect((await processesIn(disk)).map(({ name }) => name)).toContain('git-remote-http'),
        );
        clientAbort.abort();
        await response;
        expect(await processesIn(disk)).toEqual([]);
      });
    } finally {
      await rm(disk, { recursive: true });
    }
  });

  it('stop git when the service stops', async () => {
    git.behaviour = { hangOn: 'slow' };
    const preview = await TestPreview.start({ GIT_ALLOWED_HOSTS: git.host });
    const response = preview.preview([{ source: git.url('slow') }]);
    await eventually(async () => expect(await processesIn(preview.dataDir)).not.toEqual([]));
    await preview.close();
    expect((await response).errors).toEqual(['team: the service is stopping']);
    expect(await processesIn(preview.dataDir)).toEqual([]);
  });

  it('leave nothing behind after kill -9, once the service has started again', async () => {
    git.behaviour = { hangOn: 'slow' };
    const dataDir = await mkdtemp(join(tmpdir(), 'marketplaces-'));
    const { path, execArgv } = scriptOf(join(__dirname, '../../support/git/preview-process'));
    const child = spawn(process.execPath, [...execArgv, path, dataDir, git.url('slow')], {
      stdio: 'inherit',
    });
    try {
      await eventually(async () => expect(await processesIn(dataDir)).not.toEqual([]));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      expect(await readdir(join(dataDir, 'marketplaces'))).toHaveLength(1);
      const again = await TestPreview.start({ DATA_DIR: dataDir });
      expect(await readdir(join(dataDir, 'marketplaces'))).toEqual([]);
      await eventually(async () => expect(await processesIn(dataDir)).toEqual([]));
      await again.close();
    } finally {
      child.kill('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('bound the calls that run at once, for one organization before all', async () => {
    git.behaviour = { hangOn: 'slow' };
    await withPreview({}, async (preview) => {
      const clientAbort = new AbortController();
      const slow = [{ source: git.url('slow') }];
      const call = (orgId?: string) =>
        preview.preview(slow, { clientAbort: clientAbort.signal, ...(orgId && { orgId }) });
      const first = Array.from({ length: 20 }, () => call());
      await expect(call()).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '5' } });
      const others = Array.from({ length: 20 }, () => call(OTHER_ORG));
      await expect(call('00000000-2222-4333-8444-555555555555')).rejects.toMatchObject({ status: 429 });
      clientAbort.abort();
      await Promise.all([...first, ...others]);
      await expect(preview.preview([])).resolves.toMatchObject({ errors: [] });
    });
  });

  describe('credentials', () => {
    const password = 'pa55-word-of-the-operator';
    const header = `Basic ${Buffer.from(`bot:${password}`).toString('base64')}`;

    beforeEach(() => {
      git.behaviour = { auth: { prefix: '/private', username: 'bot', password } };
    });

    function credentials(orgId?: string): Record<string, string> {
      return {
        GIT_CREDENTIALS: JSON.stringify([
          {
            url_prefix: `http://${git.host}/private/`,
            username: 'bot',
            password,
            ...(orgId && { org_id: orgId }),
          },
        ]),
      };
    }

    it('open a private repository, and are in no process list', async () => {
      await git.repository('private/one', { '.plugin/marketplace.json': manifest([{ name: 'own' }]) });
      await withPreview(credentials(), async (preview) => {
        const { result, seen } = await recordProcesses(preview.dataDir, () =>
          preview.preview([{ source: git.url('private/one') }]),
        );
        expect(result.plugins.map(({ name }) => name)).toEqual(['own']);
        expect(seen.length).toBeGreaterThan(0);
        const shown = seen.map(({ commandLine }) => commandLine).join('\n');
        expect(shown).not.toContain(password);
        expect(shown).not.toContain(header.slice(6));
      });
    });

    it('are in no response and no log, also when the server does not take them', async () => {
      git.behaviour = { auth: { prefix: '/private', username: 'bot', password: 'another' } };
      const logged: unknown[] = [];
      const keep = (...entry: unknown[]) => logged.push(...entry);
      await withPreview(credentials(), async (preview) => {
        Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: keep, verbose: keep });
        try {
          const response = await preview.preview([{ source: git.url('private/one') }]);
          expect(response.errors).toEqual([
            'team: the repository asks for credentials that this service does not have for it',
          ]);
          const all = inspect([response, logged], { depth: null });
          expect(all).toContain('Marketplace team could not be previewed');
          for (const secret of [password, header.slice(6)]) expect(all).not.toContain(secret);
        } finally {
          Logger.overrideLogger(false);
        }
      });
    });

    it('are used for their prefix and organization only', async () => {
      await git.repository('private-other', { a: 'b' });
      await git.repository('private/two', { '.plugin/marketplace.json': manifest([{ name: 'own' }]) });
      await withPreview(credentials(OTHER_ORG), async (preview) => {
        const source = git.url('private/two');
        const refused = ['team: the repository asks for credentials that this service does not have for it'];
        expect((await preview.preview([{ source }])).errors).toEqual(refused);
        expect((await preview.preview([{ source }], { orgId: OTHER_ORG })).errors).toEqual([]);
        git.requests.length = 0;
        const beside = await preview.preview([{ source: git.url('private-other') }], { orgId: OTHER_ORG });
        expect(beside.errors).toEqual(refused);
        expect(git.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
      });
    });

    it('do not follow a redirect', async () => {
      const elsewhere = await TestGitServer.start();
      await elsewhere.repository('bait', { a: 'b' });
      git.behaviour = { redirect: { from: '/private/gone.git', to: elsewhere.url('bait') } };
      try {
        await withPreview(
          { ...credentials(), GIT_ALLOWED_HOSTS: `${git.host},${elsewhere.host}` },
          async (preview) => {
            const { errors } = await preview.preview([{ source: git.url('private/gone') }]);
            expect(errors).toEqual(['team: the server sends elsewhere, which is not followed']);
            expect(elsewhere.requests).toEqual([]);
          },
        );
      } finally {
        await elsewhere.close();
      }
    });
  });
});
