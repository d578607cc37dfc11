import { isRecord } from '../../../kernel/common';
import { MAX_PROJECTED } from '../record/limits';
import type { Resource } from '../record/scim-user.entity';
import { ScimError } from '../record/scim.errors';
import { attributePath, wholeExtension } from '../schema/attribute-path';
import type { ResourceKind } from '../schema/attributes';

/** Which attributes of resources are answered: the steps from a resource to each, read once for all that a request answers. */
export interface Projection {
  /** Null for all. */
  readonly only: readonly Steps[] | null;
  readonly without: readonly Steps[];
}

type Steps = readonly string[];

/** Answered whatever is asked for. */
const ALWAYS = ['schemas', 'id'];

/**
 * Reads the two parameters.
 * @param excluded counts where `attributes` names none
 * @throws ScimError for more names than there may be
 */
export function projectionOf(kind: ResourceKind, attributes: unknown, excluded: unknown): Projection {
  const stepsIn = (value: unknown): Steps[] => namesIn(value).map((path) => stepsOf(kind, path));
  const only = stepsIn(attributes);
  return { only: only.length === 0 ? null : only, without: only.length === 0 ? stepsIn(excluded) : [] };
}

function namesIn(value: unknown): string[] {
  const texts = Array.isArray(value) ? value : [value];
  const names = texts
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > MAX_PROJECTED)
    throw new ScimError(400, 'invalidValue', `A request names at most ${MAX_PROJECTED} attributes.`);
  return names;
}

/** Whether an attribute of resources, which is none of an extension, is answered at all. */
export function shows({ only, without }: Projection, name: string): boolean {
  if (only !== null) return only.some(([first]) => first === name);
  return !without.some(([first, ...rest]) => first === name && rest.length === 0);
}

/** A resource with what is to be answered of it. */
export function project(resource: Resource, { only, without }: Projection): Resource {
  if (only !== null) {
    const shown: Resource = Object.fromEntries(ALWAYS.map((name) => [name, resource[name]]));
    for (const steps of only) copy(resource, shown, steps);
    return shown;
  }
  const shown = structuredClone(resource);
  for (const steps of without) if (!ALWAYS.includes(steps[0] ?? '')) remove(shown, steps);
  return shown;
}

/** From the resource to what a path names. */
function stepsOf(kind: ResourceKind, path: string): string[] {
  const whole = wholeExtension(kind, path);
  if (whole !== null) return [whole];
  const known = attributePath(kind, path);
  // `meta` and extensions that no schema knows.
  if (known === null || known === undefined)
    return path.toLowerCase().startsWith('urn:') ? [path] : path.split('.');
  return [known.extension ?? [], known.attribute.name, known.sub?.name ?? []].flat();
}

function copy(from: Resource, to: Resource, [step, ...rest]: readonly string[]): void {
  const value = step === undefined || !Object.hasOwn(from, step) ? undefined : from[step];
  if (step === undefined || value === undefined) return;
  if (rest.length === 0) to[step] = value;
  else if (Array.isArray(value)) {
    const shown: unknown = to[step];
    const known: unknown[] = Array.isArray(shown) ? shown : [];
    to[step] = value.map((item, index) => copied(item, known[index], rest));
  } else to[step] = copied(value, to[step], rest);
}

function copied(from: unknown, to: unknown, rest: readonly string[]): unknown {
  const shown: Resource = isRecord(to) ? to : {};
  if (isRecord(from)) copy(from, shown, rest);
  return shown;
}

/** What objects have of themselves only: steps are as they were sent, and would lead to what all objects share. */
function remove(from: unknown, [step, ...rest]: readonly string[]): void {
  if (step === undefined) return;
  if (Array.isArray(from)) for (const item of from) remove(item, [step, ...rest]);
  else if (isRecord(from) && Object.hasOwn(from, step)) {
    if (rest.length === 0) Reflect.deleteProperty(from, step);
    else remove(from[step], rest);
  }
}
