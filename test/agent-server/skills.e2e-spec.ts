import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { z } from 'zod';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { FRONT_MATTER_BYTES } from '../../src/agents/skills/manifest/front-matter/front-matter';
import { FolderContent } from '../../src/agents/skills/manifest/folder-content';
import { readSkillFile } from '../../src/agents/skills/manifest/skill-file';
import { findSkillFiles } from '../../src/agents/skills/manifest/skill-files';
import { skillMatter, TRICKY } from '../support/skills/skill-files';

const GENERATED = 500;
const skillSchema = z.tuple([z.string(), z.string(), z.array(z.string())]);
const run = promisify(execFile);

interface Read {
  readonly name: string;
  readonly triggers: readonly string[];
}

/** The skills that the agent server itself loads, by path. */
async function byAgentServer(folder: string): Promise<Map<string, Read>> {
  const { command, variables } = await ensureAgentServer();
  const { stdout } = await run(
    join(dirname(command), 'python'),
    [join(__dirname, '../support/agent-server/read-skills.py'), folder],
    {
      maxBuffer: 100_000_000,
      env: {
        ...process.env,
        ...variables,
        OH_PERSISTENCE_DIR: folder,
        OPENHANDS_SUPPRESS_BANNER: '1',
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      },
    },
  );
  const found = z.array(skillSchema).parse(JSON.parse(stdout.split('\nSKILLS')[1] ?? ''));
  return new Map(found.map(([path, name, triggers]) => [path, { name, triggers }]));
}

/** The skills that a preview shows, by path, and what it says of files. */
async function byPreview(
  folder: string,
): Promise<{ skills: Map<string, Read>; problems: Map<string, string> }> {
  const content = await FolderContent.open(dirname(folder), AbortSignal.timeout(60_000));
  const files = await findSkillFiles(content, '', 1_000_000, []);
  const skills = new Map<string, Read>();
  const problems = new Map<string, string>();
  for (const file of files) {
    const read = (await content.read([file.path], FRONT_MATTER_BYTES)).get(file.path);
    if (!read) throw new Error(`${file.path} cannot be read`);
    const path = file.path.slice('skills/'.length);
    const reading = readSkillFile(read.head, read.head.length === read.size, file);
    if (reading.skill) skills.set(path, { name: reading.skill.name, triggers: reading.skill.triggers });
    if (reading.problems.length > 0) problems.set(path, reading.problems.join('; '));
  }
  return { skills, problems };
}

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'skills-')), 'skills');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** What differs where the preview says nothing of it. */
async function differences(files: Readonly<Record<string, string>>) {
  const folder = await folderOf(files);
  const theirs = await byAgentServer(folder);
  const { skills, problems } = await byPreview(folder);
  const silent = Object.keys(files).filter((path) => !problems.has(path));
  return {
    silent,
    found: silent.flatMap((path) => {
      const [their, our] = [theirs.get(path), skills.get(path)];
      return JSON.stringify(their) === JSON.stringify(our) ? [] : [{ text: files[path], their, our }];
    }),
  };
}

describe('a preview and the agent server', () => {
  it('read the same of tricky skills, or the preview names them', async () => {
    const files = Object.fromEntries(TRICKY.map(([name, text]) => [`${name}/SKILL.md`, text]));
    expect((await differences(files)).found).toEqual([]);
  });

  it('read the same of generated skills, or the preview names them', async () => {
    const texts = fc.sample(skillMatter, {
      numRuns: GENERATED,
      ...(process.env.SEED && { seed: Number(process.env.SEED) }),
    });
    const files = Object.fromEntries(texts.map((text, index) => [`skill-${index}/SKILL.md`, text]));
    const { found, silent } = await differences(files);
    expect(found).toEqual([]);
    expect(silent.length).toBeGreaterThan(GENERATED / 5);
  });

  it('find the same files', async () => {
    const skill = (name: string) => `---\nname: ${name}\n---\n`;
    const { found } = await differences({
      'one/SKILL.md': skill('one'),
      'one/README.md': skill('readme'),
      'one/references/api.md': skill('api'),
      'one/nested/SKILL.md': skill('nested'),
      'two/skill.md': skill('two'),
      'three/SKILL.md': '# Three\n',
      'notes.md': skill('notes'),
      'group/plain.md': skill('plain'),
      'group/upper.MD': skill('upper'),
      'README.md': skill('top'),
    });
    expect(found).toEqual([]);
  });
});
