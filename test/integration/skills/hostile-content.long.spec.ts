import type { GitRepository, RepositoryFiles } from '../../support/git/git-repository';
import { TestGitServer } from '../../support/git/git-server';
import { longestStall } from '../../support/event-loop-stall';
import { manifest, TestPreview } from '../../support/git/marketplaces';
import { timeBound } from '../../support/time-bound';

const MARKUP = '<script>alert(1)</script>';

describe('hostile content', () => {
  let git: TestGitServer;
  let preview: TestPreview;

  beforeAll(async () => {
    git = await TestGitServer.start();
    preview = await TestPreview.start({ GIT_ALLOWED_HOSTS: git.host });
    // The thread that reads texts starts with the first of them; that is not what is timed.
    await git.repository('warm', { '.plugin/marketplace.json': manifest([]) });
    await preview.preview([{ source: git.url('warm') }]);
  });
  afterAll(async () => {
    await preview.close();
    await git.close();
  });

  let made = 0;
  async function previewOf(files: RepositoryFiles, change?: (repository: GitRepository) => Promise<void>) {
    made += 1;
    const repository = await git.repository(`hostile-${made}`, files);
    await change?.(repository);
    const { result, ms } = await longestStall(() =>
      preview.preview([{ name: 'team', source: git.url(`hostile-${made}`) }]),
    );
    // Read on this thread, any of these would keep it busy for seconds.
    expect(ms).toBeLessThan(timeBound(500));
    return result;
  }

  it.each([
    ['is not valid JSON', '{"name": "x",'],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['is no JSON object', '[]'],
    ['has plugins that are no list', '{"plugins": {}}'],
    ['has skills that are no list', '{"skills": "x"}'],
    ['is larger than 1 MiB', `{"plugins": [], "x": "${'x'.repeat(6_000_000)}"}`],
    ['is a link that leads out of the marketplace', { symlink: '../../etc/passwd' }],
    ['is a link that leads out of the marketplace', { symlink: '/etc/passwd' }],
    ['is a link that leads nowhere', { symlink: 'marketplace.json' }],
  ])('of a manifest that %s leaves the skill files', async (fault, content) => {
    const response = await previewOf({
      '.plugin/marketplace.json': content,
      'skills/a.md': '---\nname: a\n---\n',
    });
    expect(response.errors).toEqual([`team: the manifest ${fault}`]);
    expect(response.marketplace_skills).toEqual({ team: ['a'] });
  });

  it('of some entries of a manifest leaves the others', async () => {
    const response = await previewOf({
      '.plugin/marketplace.json': manifest([
        { name: 'good', description: `line\n\u0007${'long '.repeat(1000)}` },
        { name: 'bell\u0007' },
        { name: MARKUP },
        { name: 'x'.repeat(1000) },
        { name: '\u202Eevil' },
        { name: 7 },
        'text',
        null,
        { name: '  trimmed ', description: 5 },
      ]),
    });
    expect(response.plugins.map(({ name }) => name)).toEqual(['good', 'trimmed']);
    expect(response.plugins[0]?.description).toMatch(/^line {2}long .{1980,1995}…$/);
    expect(response.plugins[1]?.description).toBe('');
    expect(response.errors).toEqual([
      'team: plugin 2 of the manifest has a name that is not usable: "bell\uFFFD"',
      'team: plugin 3 of the manifest has a name that is not usable: "\uFFFDscript\uFFFDalert(1)\uFFFD/script\uFFFD"',
      `team: plugin 4 of the manifest has a name that is not usable: "${'x'.repeat(249)}…"`,
      'team: plugin 5 of the manifest has a name that is not usable: "\uFFFDevil"',
      'team: plugin 6 of the manifest has no name',
      'team: plugin 7 of the manifest is no object',
      'team: plugin 8 of the manifest is no object',
    ]);
  });

  it('of a manifest with very many entries is bounded', async () => {
    const response = await previewOf({
      '.plugin/marketplace.json': manifest(
        Array.from({ length: 20_000 }, (_, index) => ({ name: `p${index}` })),
      ),
    });
    expect(response.plugins).toHaveLength(2_000);
    expect(response.errors).toEqual([
      'team: the manifest lists more than 2000 plugins; the others are left out',
    ]);
  });

  it.each([
    ['is no mapping', '- a\n- b'],
    ['is no mapping', 'just text'],
    ['is not valid YAML', 'a: b: c'],
    ['is not valid YAML', 'a: *unknown'],
    ['is not valid YAML', `x: &x [1]\n${bomb()}`],
    ['is not valid YAML', 'a: &a\n  b: *a\nc: !!js/function "x"\nc: 1'],
    ['is too intricate', `a: ${'['.repeat(8_000)}${']'.repeat(8_000)}`],
    ['is too intricate', `a: ${'["]",'.repeat(1_500)}`],
    ['is too intricate', '- '.repeat(8_000)],
    ['is too intricate', '? '.repeat(8_000)],
    ['is too intricate', `a: {${'? '.repeat(60)}b}`],
    ['is too intricate', 'a: b\n- ? c'],
    ['is too intricate', `${']'.repeat(200)}${'['.repeat(200)}`],
    ['has control characters', 'a: "\u0007"'],
    ['has line separators that are no ends of lines', 'a: b\u2028c'],
    ['is too intricate', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['is too long', 'a: b\n'.repeat(3_000)],
    ['is too long', `a: ${'x'.repeat(20_000)}`],
  ])('of front matter that %s leaves the other skills', async (fault, yaml) => {
    const response = await previewOf({
      'skills/bad.md': `---\n${yaml}\n---\n`,
      'skills/good.md': '---\nname: good\n---\n',
    });
    expect(response.errors).toEqual([`team: "skills/bad.md" has front matter that ${fault}`]);
    expect(response.marketplace_skills).toEqual({ team: ['good'] });
  });

  it('of names, types and bytes leaves the other skills', async () => {
    const response = await previewOf({
      'skills/bell.md': '---\nname: "a\\u0007b"\n---\n',
      'skills/markup.md': `---\nname: ${MARKUP}\n---\n`,
      [`skills/${MARKUP.replaceAll('/', '')}.md`]: '---\ntype: repo\n---\n',
      'skills/bytes.md': Buffer.concat([
        Buffer.from('---\nname: '),
        Buffer.from([0xff, 0x0a]),
        Buffer.from('---\n'),
      ]),
      'skills/triggers.md': '---\ntriggers: {a: 1}\n---\n',
      'skills/mixed.md': '---\ntriggers: [1, good, [x]]\n---\n',
      'skills/huge.md': `---\nname: huge\n---\n${'é'.repeat(2_000_000)}`,
      'skills/loop': { symlink: '.' },
      'skills/out.md': { symlink: '../../../../etc/passwd' },
      'skills/gone.md': { symlink: 'nowhere.md' },
    });
    expect(response.skills.map(({ name, triggers }) => [name, triggers])).toEqual([
      ['huge', []],
      ['mixed', ['1', 'good']],
      ['triggers', []],
    ]);
    expect(response.errors).toEqual([
      'team: "skills/out.md" is a link that leads out of the marketplace',
      'team: "skills/\uFFFDscript\uFFFDalert(1)\uFFFDscript\uFFFD.md" has a name that is not usable',
      'team: "skills/bell.md" has a name that is not usable',
      'team: "skills/bytes.md" is not UTF-8',
      'team: "skills/markup.md" has a name that is not usable',
      'team: "skills/mixed.md" has triggers that are not usable',
      'team: "skills/mixed.md" has triggers that agent servers accept in quotes only',
      'team: "skills/triggers.md" has triggers that are not usable',
    ]);
  });

  it('of many faulty files is reported of each, in a bounded list', async () => {
    const files = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`skills/${index}.md`, '---\n- a\n---\n']),
      );
    const { errors } = await previewOf(files(300));
    expect(errors).toHaveLength(300);
    expect(errors).toContain('team: "skills/299.md" has front matter that is no mapping');
    const more = await previewOf(files(1_100));
    expect(more.errors).toHaveLength(1_001);
    expect(more.errors.at(-1)).toBe('team: and 100 more problems');
  });

  it('of names and triggers of very much text is bounded', async () => {
    const triggers = Array.from({ length: 70 }, (_, index) => `"${index}${'x'.repeat(190)}"`).join(', ');
    const { skills, errors } = await previewOf(
      Object.fromEntries(
        Array.from({ length: 600 }, (_, index) => [
          `skills/${index}.md`,
          `---\ntriggers: [${triggers}]\n---\n`,
        ]),
      ),
    );
    expect(skills.length).toBeLessThan(450);
    expect(errors).toEqual([
      'team: the names and triggers of its skills take more than 4 MiB; the others are left out',
    ]);
  });

  it('of a tree with a million entries ends early', async () => {
    const { errors } = await previewOf({ a: 'x' }, async (repository) => {
      const blob = (await repository.git('rev-parse', 'main:a')).trim();
      let tree = await makeTree(repository, '100644 blob', blob);
      for (let level = 0; level < 2; level += 1) tree = await makeTree(repository, '040000 tree', tree);
      const commit = await repository.git(
        '-c',
        'user.name=T',
        '-c',
        'user.email=t@localhost.example',
        'commit-tree',
        '-m',
        'Many',
        tree,
      );
      await repository.git('update-ref', 'refs/heads/main', commit.trim());
    });
    expect(errors).toEqual(['team: the repository has more than 200000 files and folders']);
  });

  it('of a very deep tree is no matter', async () => {
    const { errors } = await previewOf({
      [`${'a/'.repeat(1_500)}file`]: 'x',
      [`skills/${'b/'.repeat(100)}deep.md`]: '---\nname: deep\n---\n',
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^team: "skills\/b\/b\/.*" lies too deep$/);
  });
});

async function makeTree(repository: GitRepository, kind: string, id: string): Promise<string> {
  const entries = Array.from({ length: 100 }, (_, index) => `${kind} ${id}\tentry-${index}`).join('\n');
  return (await repository.gitWithInput(`${entries}\n`, 'mktree')).trim();
}

function bomb(): string {
  return Array.from(
    { length: 9 },
    (_, level) =>
      `b${level}: &b${level} [${Array(9)
        .fill(level === 0 ? '*x' : `*b${level - 1}`)
        .join(', ')}]`,
  ).join('\n');
}
