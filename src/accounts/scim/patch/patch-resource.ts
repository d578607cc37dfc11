import { isRecord } from '../../../kernel/common';
import type { Libraries } from '../protocol/libraries';
import { MAX_USER_OPERATIONS } from '../record/limits';
import type { Resource } from '../record/scim-user.entity';
import { ScimError } from '../record/scim.errors';
import { type AttributePath, attributePath, wholeExtension } from '../schema/attribute-path';
import { type Attribute, attributeNamed, type ResourceKind } from '../schema/attributes';
import { assertFits, isUri, readResource } from '../schema/read-resource';
import { type PatchOperation, withinLimit } from './patch-operations';

const MAX_PATH = 500;
/** Of the brackets of a path: every value of the attribute is compared, and that again for each operation. */
const MAX_COMPARISONS = 5;

type PatchLibraries = Pick<Libraries, 'parse' | 'stringify' | 'scimPatch'>;

/**
 * A resource after operations. Paths, and the keys of values, reach the library in the spelling of the schemas, and by nothing but
 * their names: of those as they were sent it would make properties of all objects.
 * @throws ScimError
 */
export function patched(
  kind: ResourceKind,
  resource: Resource,
  operations: readonly PatchOperation[],
  libraries: PatchLibraries,
): Resource {
  withinLimit(operations, MAX_USER_OPERATIONS);
  return operations.reduce((current, operation) => {
    const after = apply(kind, current, operation, libraries);
    // After each one, as the next one copies what this one has made. `active` is kept beside the resource.
    assertFits(Object.fromEntries(Object.entries(after).filter(([name]) => name !== 'active')));
    return after;
  }, resource);
}

function apply(
  kind: ResourceKind,
  resource: Resource,
  operation: PatchOperation,
  libraries: PatchLibraries,
): Resource {
  const { path, value } = operation;
  if (path.length > MAX_PATH) throw new ScimError(400, 'invalidPath', 'The path is too long.');
  const whole = wholeExtension(kind, path);
  if (whole !== null) return readResource(kind, withExtension(resource, whole, operation));
  const target = attributePath(kind, path);
  if (target === undefined) throw new ScimError(400, 'invalidPath', `${path} is no path.`);
  if (target === null) return readResource(kind, withUnknown(resource, operation));
  if (isReadOnly(target)) {
    if (operation.isNamed) throw new ScimError(400, 'mutability', `${path} is the service's to say.`);
    return resource;
  }
  const name = [target.extension, target.attribute.name].filter((part) => part !== null).join(':');
  const filter =
    target.filter === null ? '' : `[${canonicalFilter(target.attribute, target.filter, libraries)}]`;
  const sub = target.sub === null ? '' : `.${target.sub.name}`;
  // Null is no value (RFC 7643, section 2.5).
  const isEmptied = operation.op === 'replace' && value === null && target.sub === null;
  const op = isEmptied ? 'remove' : operation.op;
  const isThere = Object.hasOwn(container(resource, target.extension), target.attribute.name);
  if (op === 'remove' && !isThere) return resource;
  return readResource(
    kind,
    run(libraries, resource, { op, path: `${name}${filter}${sub}`, value: valueFor(target, value) }),
  );
}

function run(
  { scimPatch }: PatchLibraries,
  resource: Resource,
  { op, path, value }: Pick<PatchOperation, 'op' | 'path' | 'value'>,
): Resource {
  const copy = {
    schemas: [],
    meta: { created: new Date(0), lastModified: new Date(0) },
    ...structuredClone(resource),
  };
  const operation = op === 'remove' ? { op, path, ...(isList(value) && { value }) } : { op, path, value };
  try {
    return { ...scimPatch(copy, [operation]) };
  } catch (error) {
    const isMissing = error instanceof Error && error.constructor.name === 'NoTarget';
    throw new ScimError(400, isMissing ? 'noTarget' : 'invalidValue', `${path} cannot be changed so.`);
  }
}

/** What a value stands for at its target: a single one of a list is a list, a text in place of an object its value. */
function valueFor({ attribute, filter, sub }: AttributePath, value: unknown): unknown {
  if (sub !== null || attribute.type !== 'complex' || value === null || value === undefined) return value;
  if (filter !== null || !attribute.multiValued) return asObject(attribute, value);
  return (isList(value) ? value : [value]).map((item) => asObject(attribute, item));
}

/** What no schema knows is left out. */
function asObject({ subAttributes }: Attribute, value: unknown): unknown {
  if (typeof value === 'string') return { value };
  if (!isRecord(value)) return value;
  const known = Object.entries(value).flatMap(([name, member]) => {
    const sub = attributeNamed(subAttributes, name);
    return sub === undefined ? [] : [[sub.name, member] as const];
  });
  return Object.fromEntries(known);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function container(resource: Resource, extension: string | null): object {
  if (extension === null) return resource;
  const within = resource[extension];
  return isRecord(within) ? within : {};
}

function isReadOnly({ attribute, sub }: AttributePath): boolean {
  return attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly';
}

function withExtension(resource: Resource, uri: string, { op, value }: PatchOperation): Resource {
  const { [uri]: before, ...rest } = resource;
  if (op === 'remove') return rest;
  if (!isRecord(value)) throw new ScimError(400, 'invalidValue', `${uri} must be an object.`);
  return { ...rest, [uri]: { ...(isRecord(before) && before), ...value } };
}

/** Of extensions that no schema knows, whole attributes are kept as they come; other unknown attributes are dropped. */
function withUnknown(resource: Resource, { op, path, value }: PatchOperation): Resource {
  const end = path.lastIndexOf(':');
  const [uri, name] = [path.slice(0, end), path.slice(end + 1)];
  if (!isUri(path) || end < 0 || !/^[A-Za-z][\w-]*$/.test(name)) return resource;
  const kept = new Map(Object.entries(container(resource, uri)));
  if (op === 'remove') kept.delete(name);
  else kept.set(name, value);
  return { ...resource, [uri]: Object.fromEntries(kept) };
}

/** A filter in brackets with truth values that were sent as texts as such. @throws ScimError */
function canonicalFilter(
  { name, subAttributes }: Attribute,
  text: string,
  { parse, stringify }: PatchLibraries,
): string {
  type Parsed = ReturnType<typeof parse>;
  let comparisons = 0;
  const canonical = (filter: Parsed): Parsed => {
    if (filter.op === 'not') return { ...filter, filter: canonical(filter.filter) };
    if ('filters' in filter) return { ...filter, filters: filter.filters.map(canonical) };
    comparisons++;
    if (comparisons > MAX_COMPARISONS) throw new Error('There are too many comparisons.');
    const sub = attributeNamed(subAttributes, filter.attrPath);
    if (sub === undefined || filter.op === '[]') throw new Error('There is no such attribute.');
    if (!('compValue' in filter)) return { ...filter, attrPath: sub.name };
    const { compValue } = filter;
    const isText = sub.type === 'boolean' && typeof compValue === 'string';
    return {
      ...filter,
      attrPath: sub.name,
      compValue: isText ? compValue.toLowerCase() === 'true' : compValue,
    };
  };
  try {
    return stringify(canonical(parse(text)));
  } catch {
    throw new ScimError(
      400,
      'invalidPath',
      `What stands in the brackets behind ${name} is no filter, or has more than ${MAX_COMPARISONS} comparisons.`,
    );
  }
}
