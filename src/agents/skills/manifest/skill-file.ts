import { readFrontMatter } from './front-matter/front-matter';
import { asName, asText } from './marketplace-manifest';
import { Untyped, type YamlMapping } from './front-matter/yaml-mapping';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isMap: Check = (value) => value instanceof Map;
const isTextOrList: Check = (value) => isText(value) || Array.isArray(value);
const isTruthValue: Check = (value) =>
  (isText(value) && /^(?:true|false|t|f|yes|no|y|n|on|off|0|1)$/i.test(String(value))) ||
  (value instanceof Untyped && /^(?:true|false|yes|no|on|off|[01](?:\.0*)?)$/i.test(value.written));
const isListOfInputs: Check = (value) =>
  Array.isArray(value) &&
  value.every(
    (input) => input instanceof Map && isText(input.get('name')) && isText(input.get('description')),
  );

/** What agent servers demand of values that are there; null counts as none. */
const CHECKS: readonly (readonly [string, Check])[] = [
  ['description', isText],
  ['license', isText],
  ['compatibility', isText],
  ['metadata', isMap],
  ['allowed-tools', isTextOrList],
  ['allowed_tools', isTextOrList],
  ['disable-model-invocation', isTruthValue],
  ['disable_model_invocation', isTruthValue],
  ['paths', isTextOrList],
  ['mcp_tools', isMap],
];
/** Names that agent servers use for something else. */
const RESERVED = ['content', 'handler', 'self'];

/** Why agent servers leave out a skill whose front matter can be parsed, apart from its name and its triggers. */
function* refusals(values: YamlMapping, { isFolder }: { readonly isFolder: boolean }): Iterable<string> {
  for (const [key, accepts] of CHECKS) {
    const value = values.get(key) ?? null;
    const isUnused =
      (key === 'mcp_tools' && isFolder) || (key.includes('_') && values.has(key.replaceAll('_', '-')));
    if (value !== null && !isUnused && !accepts(value))
      yield `has a value of "${key}" that agent servers refuse`;
  }
  for (const key of RESERVED) if (values.has(key)) yield `has a key "${key}", which agent servers refuse`;
  if (values.has('inputs') && !hasPaths(values) && !isListOfInputs(values.get('inputs')))
    yield 'has a value of "inputs" that agent servers refuse';
}

/** Whether files bring the skill up, and neither triggers nor inputs count. */
function hasPaths(values: YamlMapping): boolean {
  const paths = values.get('paths') ?? [];
  const list: readonly unknown[] = typeof paths === 'string' ? paths.split(',') : [paths].flat();
  return list.some((path) => typeof path !== 'string' || path.trim() !== '');
}

const MOST_TRIGGERS = 100;
const TYPES = ['knowledge', 'repo', 'task'] as const;
/** What agent servers read without quotes as they would with them. */
const ALIKE = /^(?:(?:0|[1-9]\d{0,14})(?:\.(?:0|\d{0,3}[1-9]))?|\d{4}-\d\d-\d\d)$/;

export type SkillType = (typeof TYPES)[number];

/** Where a Markdown file lies. */
export interface SkillPlace {
  /** Its name unless its front matter has one; null when that cannot be displayed. */
  readonly name: string | null;
  /** Whether it is a `SKILL.md`, which is a skill without front matter, too. */
  readonly isFolder: boolean;
}

/** What a Markdown file offers: a skill, or none. */
export interface SkillReading {
  readonly skill: {
    readonly name: string;
    readonly type: SkillType;
    readonly triggers: readonly string[];
  } | null;
  /** Problems with it, each to be appended to its path. */
  readonly problems: readonly string[];
}

/** Reads the beginning of a Markdown file. */
export function readSkillFile(head: Uint8Array, isWhole: boolean, place: SkillPlace): SkillReading {
  const text = asText(isWhole ? head : withoutPartialCharacter(head), { withMark: true });
  if (text === null) return { skill: null, problems: ['is not UTF-8'] };
  const matter = readFrontMatter(text, isWhole);
  if (matter.kind === 'mapping') return fromFrontMatter(matter.values, place);
  const problems = matter.why === null ? [] : [matter.why];
  return matter.kind === 'absent' && place.isFolder
    ? named(place.name, { type: 'knowledge', triggers: [] }, problems)
    : { skill: null, problems };
}

function fromFrontMatter(values: YamlMapping, place: SkillPlace): SkillReading {
  const problems = [...refusals(values, place)];
  const given = values.get('name');
  if (values.has('name') && given === null) problems.push('has a name without a value');
  if (given instanceof Untyped && !ALIKE.test(given.written))
    problems.push('has a name that agent servers read as written only in quotes');
  if (isPadded(given)) problems.push('has a name with white space around it');
  const name = given === undefined || given === null ? place.name : asName(written(given));
  const triggers = triggersOf(values, name, problems);
  const type = TYPES.find((known) => known === values.get('type')) ?? 'knowledge';
  return named(name, { type, triggers }, problems);
}

function named(
  name: string | null,
  rest: { readonly type: SkillType; readonly triggers: readonly string[] },
  problems: readonly string[],
): SkillReading {
  if (name === null) return { skill: null, problems: [...problems, 'has a name that is not usable'] };
  return { skill: { name, ...rest }, problems };
}

/** What brings the skill up: not its triggers where files do, and its own name where it asks for something. */
function triggersOf(values: YamlMapping, name: string | null, problems: string[]): string[] {
  const given = values.get('triggers');
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const usable = list.slice(0, MOST_TRIGGERS).flatMap((trigger) => asName(written(trigger)) ?? []);
  if (usable.length < list.length || (values.has('triggers') && !Array.isArray(given)))
    problems.push('has triggers that are not usable');
  if (hasPaths(values)) return [];
  if (list.some(isPadded)) problems.push('has triggers with white space around them');
  if (list.some((trigger) => trigger instanceof Untyped))
    problems.push('has triggers that agent servers accept in quotes only');
  const own = `/${name}`;
  return values.has('inputs') && name !== null && !usable.includes(own) ? [...usable, own] : usable;
}

/** Agent servers keep the characters that are removed here. */
function isPadded(value: unknown): boolean {
  return typeof value === 'string' && value !== value.trim();
}

function written(value: unknown): unknown {
  return value instanceof Untyped ? value.written : value;
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
