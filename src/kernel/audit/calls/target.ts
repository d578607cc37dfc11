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

/**
 * The last thing that a path names.
 * @param template with `:parameters`
 * @param url as the request line has it
 * @returns null where it names nothing
 */
export function targetOf(template: string, url: string): Target | null {
  const names = template.split('/');
  const values = pathOf(url).split('/');
  const named = names.flatMap((name, index) => {
    // What is passed on to another server is of what is in front of it.
    if (!name.startsWith(':')) return [];
    const id = decoded(values[index] ?? '');
    return id === '' ? [] : [{ name, type: typeOf(name, singular(names[index - 1] ?? '')), id }];
  });
  const last = named.findLast(({ name }) => name !== OF_ORGANIZATION) ?? named.at(-1);
  return last === undefined ? null : { type: last.type, id: parseUuid(last.id) ?? last.id };
}

/** The value of one parameter of a path; null where it has none. */
export function valueIn(template: string, url: string, parameter: string): string | null {
  const index = template.split('/').indexOf(`:${parameter}`);
  const value = index === -1 ? undefined : pathOf(url).split('/')[index];
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
  return URL.canParse(path) ? new URL(path).pathname : path;
}

function decoded(segment: string): string {
  try {
    return storableText(decodeURIComponent(segment)).slice(0, MOST).toWellFormed();
  } catch {
    return storableText(segment).slice(0, MOST);
  }
}
