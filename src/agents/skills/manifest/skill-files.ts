import { setImmediate as breathe } from 'node:timers/promises';
import { type Content, joinPath, linkProblem, resolvePath } from './content';
import type { SkillPlace } from './skill-file';
import { asName, quoted } from './marketplace-manifest';

const FOLDERS = ['skills', '.skills'];
const DEEPEST = 20;
const STEPS_WITHOUT_PAUSE = 200;

/** A Markdown file that may be a skill. */
export interface SkillFile extends SkillPlace {
  /** Its path, with links followed. */
  readonly path: string;
  /** The path it was found under. */
  readonly shown: string;
}

interface Place {
  readonly shown: string;
  readonly depth: number;
}

/**
 * Finds what may be skills under `skills/` and `.skills/`, following links: a folder with a `SKILL.md` is one, and
 * nothing else in or below it; elsewhere every Markdown file may be one. Each folder and file counts once, no matter
 * how many links point to it.
 * @param most files that are found; the others are left out
 * @param problems receives a sentence about each file that was left out
 */
export async function findSkillFiles(
  content: Content,
  root: string,
  most: number,
  problems: string[],
): Promise<readonly SkillFile[]> {
  const found = new Map<string, SkillFile>();
  const seen = new Set<string>();
  const open: Place[] = FOLDERS.map((name) => ({ shown: name, depth: 0 })).reverse();
  let steps = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    steps += 1;
    if (steps % STEPS_WITHOUT_PAUSE === 0) await breathe();
    const { shown, depth } = next;
    const place = await resolvePath(content, joinPath(root, shown));
    if (place.kind === 'outside' || place.kind === 'loop') {
      problems.push(`${quoted(shown)} ${linkProblem(place.kind)}`);
    } else if (place.kind === 'file' && isSkill(shown)) {
      if (found.has(place.path)) continue;
      if (found.size === most) {
        problems.push(`there are more than ${most} skill files; the others are left out`);
        break;
      }
      found.set(place.path, { path: place.path, shown, ...placeOf(shown) });
    } else if (place.kind === 'folder' && !seen.has(place.path)) {
      seen.add(place.path);
      if (depth < DEEPEST) open.push(...(await inside(content, place.path, next)));
      else problems.push(`${quoted(shown)} lies too deep`);
    }
  }
  return [...found.values()];
}

/** The files to read in a folder: its `SKILL.md` alone, or all. */
async function inside(content: Content, path: string, { shown, depth }: Place): Promise<Place[]> {
  const names = (await content.names(path)).filter((name) => !['', '.', '..', '.git'].includes(name)).sort();
  const only = depth === 0 ? undefined : await skillName(content, path, names);
  return (only === undefined ? names : [only])
    .reverse()
    .map((name) => ({ shown: joinPath(shown, name), depth: depth + 1 }));
}

/** The file that makes a folder a skill. One that leads out of the marketplace makes it a broken one. */
async function skillName(
  content: Content,
  folder: string,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names)
    if (
      isSkillName(name) &&
      !['absent', 'folder'].includes((await resolvePath(content, joinPath(folder, name))).kind)
    )
      return name;
  return undefined;
}

/** Whether a file of this name makes its folder a skill. */
function isSkillName(name: string): boolean {
  return name.toLowerCase() === 'skill.md';
}

function isSkill(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isSkillName(name) || (name.endsWith('.md') && name.toLowerCase() !== 'readme.md');
}

function placeOf(path: string): SkillPlace {
  const segments = path.split('/');
  const file = segments.at(-1) ?? '';
  return {
    // The folder of all skills is none itself.
    isFolder: isSkillName(file) && segments.length > 2,
    name: asName(isSkillName(file) ? segments.at(-2) : file.slice(0, -'.md'.length)),
  };
}
