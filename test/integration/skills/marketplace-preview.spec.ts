import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { GitRepository } from '../../support/git/git-repository';
import { TestGitServer } from '../../support/git/git-server';
import { largeMarketplace, manifest, TestPreview } from '../../support/git/marketplaces';

describe('the preview of a marketplace', () => {
  let git: TestGitServer;
  let preview: TestPreview;

  beforeAll(async () => {
    git = await TestGitServer.start();
    preview = await TestPreview.start({ GIT_ALLOWED_HOSTS: git.host });
  });
  afterAll(async () => {
    await preview.close();
    await git.close();
  });
  beforeEach(() => {
    git.behaviour = {};
    git.requests.length = 0;
  });

  it('shows plugins and standalone skills of the manifest', async () => {
    await git.repository('both', {
      '.claude-plugin/marketplace.json': manifest(
        [
          { name: 'review', source: './plugins/review', description: 'Reviews a change.' },
          { name: 'plain', source: { source: 'github', repo: 'a/b' } },
        ],
        { skills: [{ name: 'notes', source: './skills/notes' }] },
      ),
      'plugins/review/skills/bundled/SKILL.md': '---\nname: bundled\n---\n',
      'skills/other/SKILL.md': '---\nname: other\n---\n',
    });
    const source = git.url('both');
    expect(await preview.preview([{ name: 'team', source }])).toEqual({
      plugins: [
        { name: 'review', source, marketplace: 'team', description: 'Reviews a change.' },
        { name: 'plain', source, marketplace: 'team', description: '' },
      ],
      skills: [{ name: 'notes', type: 'knowledge', source: 'marketplace:team', triggers: [] }],
      marketplace_skills: { team: ['notes'] },
      errors: [],
    });
    expect(await preview.leftovers()).toEqual([]);
  });

  it('prefers .plugin to .claude-plugin', async () => {
    await git.repository('places', {
      '.plugin/marketplace.json': manifest([{ name: 'first' }]),
      '.claude-plugin/marketplace.json': manifest([{ name: 'second' }]),
    });
    const { plugins } = await preview.preview([{ source: git.url('places') }]);
    expect(plugins.map(({ name }) => name)).toEqual(['first']);
  });

  it.each([
    ['a branch', 'next', 'next'],
    ['a tag', 'v1', 'main'],
    ['an annotated tag', 'v2', 'main'],
    ['the default branch', null, 'main'],
    ['a full name', 'refs/heads/next', 'next'],
  ])('reads %s', async (_, ref, expected) => {
    const name = `refs-${String(ref).replaceAll('/', '-')}`;
    const repository = await git.repository(name, {
      '.plugin/marketplace.json': manifest([{ name: 'main' }]),
    });
    await repository.tag('v1');
    await repository.tag('v2', 'main', 'Second');
    await repository.commit({ '.plugin/marketplace.json': manifest([{ name: 'next' }]) }, 'next');
    const { plugins, errors } = await preview.preview([{ source: git.url(name), ref }]);
    expect(errors).toEqual([]);
    expect(plugins.map((plugin) => plugin.name)).toEqual([expected]);
  });

  it('reads the branch of a name that a tag has, too', async () => {
    const repository = await git.repository('both-refs', {
      '.plugin/marketplace.json': manifest([{ name: 'tag' }]),
    });
    await repository.tag('v1');
    await repository.commit({ '.plugin/marketplace.json': manifest([{ name: 'branch' }]) }, 'v1');
    const source = git.url('both-refs');
    const { plugins, errors } = await preview.preview([
      { name: 'short', source, ref: 'v1' },
      { name: 'full', source, ref: 'refs/tags/v1' },
    ]);
    expect([plugins.map(({ name }) => name), errors]).toEqual([['branch', 'tag'], []]);
    git.behaviour = { dumb: true };
    await repository.git('update-server-info');
    expect((await preview.preview([{ source, ref: 'v1' }])).plugins.map(({ name }) => name)).toEqual([
      'branch',
    ]);
  });

  it('says of a short commit id, and of a default branch that is not there, what is missing', async () => {
    const repository = await git.repository('precise', {
      '.plugin/marketplace.json': manifest([{ name: 'one' }]),
    });
    const id = (await repository.git('rev-parse', 'main')).trim();
    await repository.git('symbolic-ref', 'HEAD', 'refs/heads/gone');
    const source = git.url('precise');
    const { plugins, errors } = await preview.preview([
      { name: 'short', source, ref: id.slice(0, 7) },
      { name: 'upper', source, ref: id.toUpperCase() },
      { name: 'none', source },
      { name: 'named', source, ref: 'main' },
    ]);
    expect(errors).toEqual([
      'short: the repository has no such branch or tag, and of a commit the whole id is needed',
      'none: the default branch of the repository is not there: `ref` has to name one',
    ]);
    expect(plugins.map(({ marketplace }) => marketplace)).toEqual(['upper', 'named']);
  });

  it('reads a commit that is no tip any more', async () => {
    const repository = await git.repository('commits', {
      '.plugin/marketplace.json': manifest([{ name: 'old' }]),
    });
    const old = (await repository.git('rev-parse', 'main')).trim();
    await repository.commit({ '.plugin/marketplace.json': manifest([{ name: 'new' }]) });
    const { plugins } = await preview.preview([{ source: git.url('commits'), ref: old }]);
    expect(plugins.map(({ name }) => name)).toEqual(['old']);
  });

  it('reads what a server without git’s own protocol has, by branch and by commit', async () => {
    const repository = await git.repository('static', {
      '.plugin/marketplace.json': manifest([{ name: 'old' }]),
    });
    const old = (await repository.git('rev-parse', 'main')).trim();
    await repository.commit({ '.plugin/marketplace.json': manifest([{ name: 'new' }]) });
    await repository.git('update-server-info');
    git.behaviour = { dumb: true };
    const source = git.url('static');
    const response = await preview.preview([
      { name: 'tip', source },
      { name: 'commit', source, ref: old },
    ]);
    expect(response.errors).toEqual([]);
    expect(response.plugins.map(({ name, marketplace }) => [marketplace, name])).toEqual([
      ['tip', 'new'],
      ['commit', 'old'],
    ]);
  });

  it('reads from a server that gives whole commits only', async () => {
    const repository = await git.repository('whole', {
      '.plugin/marketplace.json': manifest([{ name: 'one' }]),
    });
    await repository.git('config', 'uploadpack.allowFilter', 'false');
    const { plugins, errors } = await preview.preview([{ source: git.url('whole') }]);
    expect([plugins.map(({ name }) => name), errors]).toEqual([['one'], []]);
  });

  it('fetches file contents only where it reads them', async () => {
    await git.repository('heavy', {
      '.plugin/marketplace.json': manifest([{ name: 'light' }]),
      'models/weights.bin': Buffer.alloc(3_000_000, 'x9'),
      'models/noise.bin': randomBytes(3_000_000),
    });
    const small = await TestPreview.start({ GIT_ALLOWED_HOSTS: git.host, MARKETPLACE_MAX_MEBIBYTES: '1' });
    try {
      const { plugins, errors } = await small.preview([{ source: git.url('heavy') }]);
      expect([plugins.map(({ name }) => name), errors]).toEqual([['light'], []]);
    } finally {
      await small.close();
    }
  });

  it('reads the folder that repo_path names, and says when it is not there', async () => {
    await git.repository('mono', {
      '.plugin/marketplace.json': manifest([{ name: 'top' }]),
      'markets/own/.plugin/marketplace.json': manifest([{ name: 'inner' }]),
      linked: { symlink: 'markets/own' },
    });
    const source = git.url('mono');
    const response = await preview.preview([
      { name: 'inner', source, repo_path: 'markets/own' },
      { name: 'linked', source, repo_path: 'linked' },
      { name: 'none', source, repo_path: 'markets/other' },
    ]);
    expect(response.plugins.map(({ marketplace, name }) => [marketplace, name])).toEqual([
      ['inner', 'inner'],
      ['linked', 'inner'],
    ]);
    expect(response.errors).toEqual(['none: there is no folder "markets/other"']);
    expect(Object.keys(response.marketplace_skills)).toEqual(['inner', 'linked']);
  });

  it('says when the folder that repo_path names holds no manifest, and shows its skills all the same', async () => {
    await git.repository('bare', {
      '.plugin/marketplace.json': manifest([{ name: 'top' }]),
      'docs/index.md': '# Docs\n',
      'more/skills/notes.md': '---\nname: notes\n---\n',
      'broken/.plugin/marketplace.json': '{',
    });
    const source = git.url('bare');
    const answer = await preview.preview([
      { name: 'docs', source, repo_path: 'docs' },
      { name: 'more', source, repo_path: 'more' },
      { name: 'broken', source, repo_path: 'broken' },
    ]);
    expect(answer.errors).toEqual([
      'docs: there is no manifest in the folder "docs"',
      'more: there is no manifest in the folder "more"',
      'broken: the manifest is not valid JSON',
    ]);
    expect(answer.marketplace_skills).toEqual({ docs: [], more: ['notes'], broken: [] });
  });

  it('follows the links of a real marketplace', async () => {
    const files: Record<string, string | { symlink: string }> = {
      '.claude-plugin': { symlink: '.plugin' },
      '.plugin/marketplace.json': { symlink: '../meta/marketplace.json' },
      'meta/marketplace.json': manifest(
        Array.from({ length: 40 }, (_, index) => ({ name: `plugin-${index}`, source: `./plugins/${index}` })),
      ),
    };
    for (let index = 0; index < 120; index += 1)
      files[`plugins/${index % 40}/skills/skill-${index}`] = { symlink: `../../../shared/skill-${index}` };
    await git.repository('links', files);
    const { plugins, errors } = await preview.preview([{ source: git.url('links') }]);
    expect([plugins.length, errors]).toEqual([40, []]);
  });

  it('lists skill files when there is no manifest', async () => {
    await git.repository('skills', {
      'skills/README.md': '---\nname: readme\n---\n',
      'skills/notes/SKILL.md':
        '---\ndescription: Notes.\ntriggers:\n  - changelog\n  - release notes\n---\nText',
      'skills/plain.md': '---\ntype: repo\n---\n',
      'skills/deep/down/named.md': '---\nname: given-name\ntype: task\ntriggers: [go]\n---\n',
      'skills/no-front-matter.md': '# Title\n',
      'skills/other.txt': '---\nname: text\n---\n',
      '.skills/hidden.md': '---\nname: hidden\ntype: strange\n---\n',
      'skills/linked': { symlink: '../library/linked' },
      'library/linked/SKILL.md': '---\nlicense: MIT\n---\n',
      'docs/elsewhere.md': '---\nname: elsewhere\n---\n',
    });
    const response = await preview.preview([{ name: 'team', source: git.url('skills') }]);
    const skill = (name: string, type: string, triggers: string[] = []) => ({
      name,
      type,
      triggers,
      source: 'marketplace:team',
    });
    expect(response).toEqual({
      plugins: [],
      skills: [
        skill('given-name', 'task', ['go']),
        skill('linked', 'knowledge'),
        skill('notes', 'knowledge', ['changelog', 'release notes']),
        skill('plain', 'repo'),
        skill('hidden', 'knowledge'),
      ],
      marketplace_skills: { team: ['given-name', 'linked', 'notes', 'plain', 'hidden'] },
      errors: [],
    });
  });

  it('takes a folder with a SKILL.md for one skill, with all that is in and below it', async () => {
    await git.repository('folders', {
      'skills/one/SKILL.md': '---\nname: one\n---\n',
      'skills/one/notes.md': '---\nname: notes\n---\n',
      'skills/one/references/api.md': '---\nname: api\n---\n',
      'skills/one/inner/SKILL.md': '---\nname: inner\n---\n',
      'skills/group/two/skill.md': '# Two\n',
      'skills/group/plain.md': '---\nname: plain\n---\n',
      'skills/three/SKILL.md': { symlink: '../../templates/three.md' },
      'skills/three/more.md': '---\nname: more\n---\n',
      'templates/three.md': '---\nname: three\n---\n',
      '.skills/four/SKILL.md': { symlink: '../../../elsewhere.md' },
      '.skills/four/more.md': '---\nname: more\n---\n',
      '.skills/five/SKILL.md/file.md': '---\nname: five\n---\n',
    });
    const { skills, errors } = await preview.preview([{ source: git.url('folders') }]);
    expect(skills.map(({ name }) => name)).toEqual(['plain', 'two', 'one', 'three', 'five']);
    expect(errors).toEqual(['team: ".skills/four/SKILL.md" is a link that leads out of the marketplace']);
  });

  it('reads a marketplace of the usual size whole', async () => {
    await git.repository('large', largeMarketplace());
    const { plugins, errors } = await preview.preview([{ source: git.url('large') }]);
    expect([plugins.length, errors]).toEqual([60, []]);
  });

  it('answers for each registration what came of it, in the order of the list', async () => {
    await git.repository('good', { '.plugin/marketplace.json': manifest([{ name: 'fine' }]) });
    await git.repository('skillful', { 'skills/a.md': '---\nname: a\n---\n' });
    const response = await preview.preview([
      { name: 'missing', source: git.url('nowhere') },
      { name: 'good', source: git.url('good') },
      { name: 'noref', source: git.url('good'), ref: 'v9' },
      { name: 'good', source: git.url('skillful') },
      { name: 'skillful', source: git.url('skillful') },
      { name: 'scheme', source: 'git@git.example:a/b.git' },
      { name: 'local', source: 'some/folder' },
    ]);
    expect(response.plugins.map(({ marketplace }) => marketplace)).toEqual(['good']);
    expect(response.marketplace_skills).toEqual({ good: [], skillful: ['a'] });
    expect(response.errors).toEqual([
      'missing: there is no such repository',
      'noref: the repository has no such branch, tag or commit',
      'good: this name is in the list already',
      'scheme: ssh and git addresses cannot be previewed; use an https address',
      'local: local paths are not enabled on this service',
    ]);
    expect(git.requests.filter(({ url }) => url.includes('skillful')).length).toBeGreaterThan(0);
  });

  it('does not fetch a second registration of a name', async () => {
    await git.repository('twice', { '.plugin/marketplace.json': manifest([{ name: 'fine' }]) });
    await preview.preview([
      { name: 'same', source: git.url('twice') },
      { name: 'same', source: git.url('second') },
    ]);
    expect(git.requests.some(({ url }) => url.includes('second'))).toBe(false);
  });

  it('follows a redirect to an allowed host', async () => {
    await git.repository('target', { '.plugin/marketplace.json': manifest([{ name: 'there' }]) });
    git.behaviour = { redirect: { from: '/old.git', to: git.url('target') } };
    const { plugins } = await preview.preview([{ source: git.url('old') }]);
    expect(plugins.map(({ name }) => name)).toEqual(['there']);
  });

  it('says that a repository is empty', async () => {
    const one = await git.repository('beside', { a: 'b' });
    await GitRepository.create(join(one.folder, '..', 'empty.git'));
    const { errors } = await preview.preview([{ source: git.url('empty') }]);
    expect(errors).toEqual(['team: the repository is empty']);
  });
});
