import { parseUuid, storableText } from '../../common';

/** What an action was done to. */
export interface Target {
  readonly type: string;
  readonly id: string;
}

/** Longer ids are none of the service. */
const MOST = 255;

/** What is made where a path ends so: the segment names many of something. */
const MANY = /^[a-z-]{3,}s$/;

const OF_ORGANIZATION = ':org_id';

/** A parameter of a path, and what it is the id of. */
interface NamedSegment {
  readonly name: string;
  readonly index: number;
  readonly type: string;
}

/** By the templates of the routes. */
const segments = new Map<string, readonly NamedSegment[]>();

/** The parameters of a template; what is passed on to another server is of what is in front of it. */
function segmentsOf(template: string): readonly NamedSegment[] {
  const known = segments.get(template);
  if (known !== undefined) return known;
  const names = template.split('/');
  const named = names.flatMap((name, index) =>
    name.startsWith(':') ? [{ name, index, type: typeOf(name, singular(names[index - 1] ?? '')) }] : [],
  );
  segments.set(template, named);
  return named;
}

/**
 * The last thing that a path names.
 * @param template with `:parameters`
 * @param url as the request line has it
 * @returns null where it names nothing
 */
export function targetOf(template: string, url: string): Target | null {
  const values = pathOf(url).split('/');
  const named = segmentsOf(template).filter(({ index }) => (values[index] ?? '') !== '');
  const last = named.findLast(({ name }) => name !== OF_ORGANIZATION) ?? named.at(-1);
  if (last === undefined) return null;
  const id = decoded(values[last.index] ?? '');
  return { type: last.type, id: parseUuid(id) ?? id };
}

/** The value of one parameter of a path; null where it has none. */
export function valueIn(template: string, url: string, parameter: string): string | null {
  const named = segmentsOf(template).find(({ name }) => name === `:${parameter}`);
  const value = named && pathOf(url).split('/')[named.index];
  return value === undefined ? null : decoded(value);
}

/** What is made by a POST to a path; null where it is none of many. */
export function madeAt(method: string, template: string): string | null {
  const last = template.split('/').at(-1) ?? '';
  return method === 'POST' && MANY.test(last) ? singular(last) : null;
}

/** What a parameter is the id of, behind a segment: `user` in `members/:user_id`, `service-account` in `service-accounts/:account_id`. */
function typeOf(parameter: string, segment: string): string {
  if (parameter === OF_ORGANIZATION) return 'organization';
  const [, thing] = /^:(\w+)_id$/.exec(parameter) ?? [];
  const type = thing === undefined || segment.endsWith(thing) ? segment : thing;
  return type.replace(/^app-/, '');
}

/** What a row of a table is, as the type of a target. */
export function madeOf(table: string): string {
  return singular(table);
}

/** As one of what the segment of a path names many of. */
function singular(segment: string): string {
  const word = segment.toLowerCase().replaceAll('_', '-');
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  if (path.startsWith('/')) return path;
  return URL.canParse(path) ? new URL(path).pathname : path;
}

function decoded(segment: string): string {
  try {
    return storableText(decodeURIComponent(segment)).slice(0, MOST).toWellFormed();
  } catch {
    return storableText(segment).slice(0, MOST);
  }
}
