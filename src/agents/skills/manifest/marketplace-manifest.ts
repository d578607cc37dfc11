import { isRecord } from '../../../kernel/common';
import { asDescription, asName, asText, quoted } from './untrusted-text';

/** Limit of each list in a manifest. */
const MOST_ENTRIES = 2_000;
/** So many that a real marketplace hears of every fault; each has at most some hundred characters. */
const MOST_PROBLEMS = 1_000;

/** What a manifest offers. */
export interface ManifestOffer {
  readonly plugins: readonly { readonly name: string; readonly description: string }[];
  readonly skills: readonly { readonly name: string }[];
  /** Why entries were left out. */
  readonly problems: readonly string[];
}

/** A parsed manifest, or why it is invalid as a whole. */
export type ManifestReading = { readonly offer: ManifestOffer } | { readonly broken: string };

/** Parses a `marketplace.json`; an invalid entry does not invalidate the others. */
export function readManifest(bytes: Uint8Array): ManifestReading {
  const text = asText(bytes);
  if (text === null) return { broken: 'is not UTF-8' };
  const manifest = parse(text);
  if (manifest === undefined) return { broken: 'is not valid JSON' };
  if (!isRecord(manifest)) return { broken: 'is no JSON object' };
  const { plugins = [], skills = [] } = manifest;
  if (!Array.isArray(plugins)) return { broken: 'has plugins that are no list' };
  if (!Array.isArray(skills)) return { broken: 'has skills that are no list' };
  const problems: string[] = [];
  return {
    offer: {
      plugins: entries(plugins, 'plugin', problems).map(({ name, entry }) => ({
        name,
        description: asDescription(entry.description),
      })),
      skills: entries(skills, 'skill', problems).map(({ name }) => ({ name })),
      problems: bounded(problems),
    },
  };
}

/** The first problems, and how many more there are. */
export function bounded(problems: readonly string[]): string[] {
  const more = problems.length - MOST_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MOST_PROBLEMS), `and ${more} more problems`] : [...problems];
}

function entries(
  list: readonly unknown[],
  what: string,
  problems: string[],
): { name: string; entry: Record<string, unknown> }[] {
  if (list.length > MOST_ENTRIES)
    problems.push(`the manifest lists more than ${MOST_ENTRIES} ${what}s; the others are left out`);
  return list.slice(0, MOST_ENTRIES).flatMap((entry, index) => {
    const name = isRecord(entry) ? asName(entry.name) : null;
    if (isRecord(entry) && name !== null) return [{ name, entry }];
    const which = `${what} ${index + 1} of the manifest`;
    if (!isRecord(entry)) problems.push(`${which} is no object`);
    else if (typeof entry.name !== 'string') problems.push(`${which} has no name`);
    else problems.push(`${which} has a name that is not usable: ${quoted(entry.name)}`);
    return [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
