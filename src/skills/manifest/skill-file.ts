import { readFrontMatter } from './front-matter';
import { asName, asText } from './untrusted-text';

const MOST_TRIGGERS = 100;
const TYPES = ['knowledge', 'repo', 'task'] as const;

export type SkillType = (typeof TYPES)[number];

/** What a Markdown file offers: a skill, nothing because it has no front matter, or a fault. */
export type SkillReading =
  | {
      readonly kind: 'skill';
      /** Null when the front matter has none; then the path gives the name. */
      readonly name: string | null;
      readonly type: SkillType;
      readonly triggers: readonly string[];
      /** What was left out of it. */
      readonly problem: string | null;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly why: string };

/** Reads the beginning of a Markdown file. */
export function readSkillFile(head: Uint8Array, isWhole: boolean): SkillReading {
  const text = isWhole ? asText(head) : asText(withoutPartialCharacter(head));
  if (text === null) return { kind: 'broken', why: 'is not UTF-8' };
  const matter = readFrontMatter(text);
  if (matter.kind === 'absent') return { kind: 'none' };
  if (matter.kind === 'broken') return { kind: 'broken', why: `has front matter that ${matter.why}` };
  const { name, type, triggers } = matter.values;
  const given = asName(name);
  if (given === null && name !== undefined && name !== null)
    return { kind: 'broken', why: 'has a name that is not usable' };
  const list: readonly unknown[] = Array.isArray(triggers) ? triggers : [];
  const usable = list.slice(0, MOST_TRIGGERS).flatMap((trigger) => asName(trigger) ?? []);
  const hasFault =
    usable.length < list.length || (triggers !== undefined && triggers !== null && !Array.isArray(triggers));
  return {
    kind: 'skill',
    name: given,
    type: TYPES.find((known) => known === type) ?? 'knowledge',
    triggers: usable,
    problem: hasFault ? 'has triggers that are not usable' : null,
  };
}

/** Drops an incomplete UTF-8 character at the end. */
function withoutPartialCharacter(head: Uint8Array): Uint8Array {
  let end = head.length;
  for (let back = 1; back <= 4 && back <= head.length; back += 1) {
    const byte = head[head.length - back] ?? 0;
    if (byte < 0x80) break;
    end = head.length - back;
    if (byte >= 0xc0) break;
  }
  return head.subarray(0, end);
}
