import { setImmediate as breathe } from 'node:timers/promises';
import { type Content, joinPath, linkFault, resolvePath } from './content';
import { asName, quoted } from './untrusted-text';

const FOLDERS = ['skills', '.skills'];
const MOST_SKILL_FILES = 2_000;
const DEEPEST = 20;
const STEPS_WITHOUT_PAUSE = 200;

/** A Markdown file that may be a skill. */
export interface SkillFile {
  /** Its path, with links followed. */
  readonly path: string;
  /** The path it was found under. */
  readonly shown: string;
  /** Its name unless its front matter has one; null when that cannot be displayed. */
  readonly name: string | null;
}

/**
 * Finds the Markdown files under `skills/` and `.skills/`, following links; each folder and file counts once,
 * no matter how many links point to it.
 * @param problems receives a sentence about each file that was left out
 */
export async function findSkillFiles(
  content: Content,
  root: string,
  problems: string[],
): Promise<readonly SkillFile[]> {
  const found = new Map<string, SkillFile>();
  const seen = new Set<string>();
  const open = FOLDERS.map((name) => ({ shown: name, depth: 0 })).reverse();
  let steps = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    steps += 1;
    if (steps % STEPS_WITHOUT_PAUSE === 0) await breathe();
    const { shown, depth } = next;
    const place = await resolvePath(content, joinPath(root, shown));
    if (place.kind === 'outside' || place.kind === 'loop') {
      problems.push(`${quoted(shown)} ${linkFault(place.kind)}`);
    } else if (place.kind === 'file' && isSkill(shown)) {
      found.set(place.path, found.get(place.path) ?? { path: place.path, shown, name: nameFor(shown) });
      if (found.size < MOST_SKILL_FILES) continue;
      problems.push(`there are more than ${MOST_SKILL_FILES} skill files; the others are left out`);
      break;
    } else if (place.kind === 'folder' && !seen.has(place.path)) {
      seen.add(place.path);
      if (depth < DEEPEST) open.push(...(await inside(content, place.path, shown, depth)));
      else problems.push(`${quoted(shown)} lies too deep`);
    }
  }
  return [...found.values()];
}

async function inside(
  content: Content,
  path: string,
  shown: string,
  depth: number,
): Promise<{ shown: string; depth: number }[]> {
  const names = [...(await content.names(path))].sort().reverse();
  return names
    .filter((name) => name !== '' && name !== '.' && name !== '..' && name !== '.git')
    .map((name) => ({ shown: joinPath(shown, name), depth: depth + 1 }));
}

function isSkill(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.endsWith('.md') && name !== 'readme.md';
}

function nameFor(path: string): string | null {
  const segments = path.split('/');
  const file = segments.at(-1) ?? '';
  return asName(file.toLowerCase() === 'skill.md' ? segments.at(-2) : file.slice(0, -'.md'.length));
}
