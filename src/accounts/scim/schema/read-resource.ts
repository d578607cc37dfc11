import { isRecord, jsonBytes, storableJson } from '../../../kernel/common';
import { MAX_FOUND_BY, MAX_RESOURCE_BYTES } from '../record/limits';
import type { Resource } from '../record/scim-user.entity';
import { ScimError } from '../record/scim.errors';
import { type Attribute, attributeNamed, attributesOf, type ResourceKind } from './attributes';

/**
 * Reads a resource as a directory sends it into the spelling of the schemas, tolerantly: names in any case, truth values as
 * texts, single values in lists and lists as single values. What no schema knows and what only the service decides is dropped;
 * extensions that it does not know are kept as they are.
 * @throws ScimError for values that cannot be meant
 */
export function readResource(kind: ResourceKind, sent: unknown): Resource {
  if (!isRecord(sent)) throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object.');
  const extensions = Object.entries(sent).flatMap(([name, value]) => extensionOf(kind, name, value));
  return storableJson({ ...readAttributes(attributesOf(kind), sent), ...Object.fromEntries(extensions) });
}

/** By what resources are found: indexes take no texts of any length. */
const FOUND_BY = ['userName', 'displayName', 'externalId'];

/** Asserts that a resource is not larger than what is kept of one. @throws ScimError */
export function assertFits(resource: Resource): void {
  const long = FOUND_BY.find((name) => {
    const text = resource[name];
    return typeof text === 'string' && text.length > MAX_FOUND_BY;
  });
  if (long !== undefined)
    throw new ScimError(400, 'invalidValue', `${long} has at most ${MAX_FOUND_BY} characters.`);
  if (jsonBytes(resource) > MAX_RESOURCE_BYTES)
    throw new ScimError(
      400,
      'invalidValue',
      `Of one resource, at most ${MAX_RESOURCE_BYTES} bytes are kept.`,
    );
}

/** Whether a name is that of an extension. */
export function isUri(name: string): boolean {
  return name.toLowerCase().startsWith('urn:');
}

function extensionOf(kind: ResourceKind, name: string, value: unknown): [name: string, value: object][] {
  if (!isUri(name) || !isRecord(value)) return [];
  const known = kind.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  const read = known === undefined ? value : readAttributes(known.attributes, value);
  return Object.keys(read).length === 0 ? [] : [[known?.id ?? name, read]];
}

function readAttributes(attributes: readonly Attribute[], sent: Readonly<Record<string, unknown>>): Resource {
  const read: Resource = {};
  for (const [name, value] of Object.entries(sent)) {
    const attribute = attributeNamed(attributes, name);
    if (attribute === undefined || attribute.mutability === 'readOnly') continue;
    const own = readValue(attribute, value);
    if (own !== undefined) read[attribute.name] = own;
  }
  return read;
}

/** @returns undefined for what stands for no value */
function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readSingle(attribute, onlyItem(attribute, value));
  const items = Array.isArray(value) ? value : [value];
  const read = items.map((item) => readSingle(attribute, item)).filter((item) => item !== undefined);
  return read.length === 0 ? undefined : withOnePrimary(read);
}

function onlyItem({ name }: Attribute, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length > 1) throw new ScimError(400, 'invalidValue', `${name} has one value only.`);
  return value[0];
}

function readSingle(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.type === 'complex') return readComplex(attribute, value);
  if (attribute.type === 'boolean') return readBoolean(attribute, value);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ScimError(400, 'invalidValue', `${attribute.name} must be a text.`);
}

/** A text in place of an object stands for its value. */
function readComplex({ name, subAttributes }: Attribute, value: unknown): Resource | undefined {
  const hasValue = attributeNamed(subAttributes, 'value') !== undefined;
  const object = typeof value === 'string' && hasValue ? { value } : value;
  if (!isRecord(object)) throw new ScimError(400, 'invalidValue', `${name} must be an object.`);
  const read = readAttributes(subAttributes, object);
  return Object.keys(read).length === 0 ? undefined : read;
}

/** Reads a truth value, also as a text in any case. @throws ScimError */
export function readBoolean({ name }: Pick<Attribute, 'name'>, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ScimError(400, 'invalidValue', `${name} must be true or false.`);
}

/** Of several primary values the last one stays so: it is the one that was added. */
function withOnePrimary(items: readonly unknown[]): unknown[] {
  const last = items.findLastIndex((item) => isRecord(item) && item['primary'] === true);
  return items.map((item, index) =>
    isRecord(item) && item['primary'] === true && index !== last ? { ...item, primary: false } : item,
  );
}
