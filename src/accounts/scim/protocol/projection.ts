import { isRecord } from '../../../kernel/common';
import type { Resource } from '../record/scim-user.entity';
import { attributePath, wholeExtension } from '../schema/attribute-path';
import type { ResourceKind } from '../schema/attributes';

/** Which attributes of resources are answered, by the texts of two parameters. */
export interface Projection {
  /** Null for all. */
  readonly only: readonly string[] | null;
  readonly without: readonly string[];
}

/** Answered whatever is asked for. */
const ALWAYS = ['schemas', 'id'];

/** @param excluded counts where `attributes` names none */
export function projectionOf(attributes: unknown, excluded: unknown): Projection {
  const only = namesIn(attributes);
  return { only: only.length === 0 ? null : only, without: only.length === 0 ? namesIn(excluded) : [] };
}

function namesIn(value: unknown): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Whether an attribute of resources is answered at all. */
export function shows({ only, without }: Projection, kind: ResourceKind, name: string): boolean {
  const isOf = (path: string): boolean => attributePath(kind, path)?.attribute.name === name;
  if (only !== null) return only.some(isOf);
  return !without.some((path) => isOf(path) && attributePath(kind, path)?.sub === null);
}

/** A resource with what is to be answered of it. */
export function project(kind: ResourceKind, resource: Resource, { only, without }: Projection): Resource {
  if (only !== null) {
    const shown: Resource = Object.fromEntries(ALWAYS.map((name) => [name, resource[name]]));
    for (const path of only) copy(resource, shown, stepsOf(kind, path));
    return shown;
  }
  const shown = structuredClone(resource);
  for (const path of without) {
    const steps = stepsOf(kind, path);
    if (!ALWAYS.includes(steps[0] ?? '')) remove(shown, steps);
  }
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

function remove(from: unknown, [step, ...rest]: readonly string[]): void {
  if (step === undefined) return;
  if (Array.isArray(from)) for (const item of from) remove(item, [step, ...rest]);
  else if (isRecord(from)) {
    if (rest.length === 0) Reflect.deleteProperty(from, step);
    else remove(from[step], rest);
  }
}
