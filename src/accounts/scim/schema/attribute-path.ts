import { type Attribute, attributeNamed, attributesOf, type ResourceKind } from './attributes';
import { isUri } from './read-resource';

/** A path of an attribute, as filters, PATCH and projections have it. */
export interface AttributePath {
  /** The URI of the extension that it is of; null for the schema of the kind itself. */
  readonly extension: string | null;
  readonly attribute: Attribute;
  /** What stands in the brackets behind the attribute; null without any. */
  readonly filter: string | null;
  readonly sub: Attribute | null;
}

/** `attribute`, `attribute.sub`, `attribute[filter]`, `attribute[filter].sub`. */
const FORM = /^([A-Za-z$][\w$-]*)(?:\[(.+)\])?(?:\.([A-Za-z$][\w$-]*))?$/s;

/**
 * Reads a path in any case, with or without the URI of its schema.
 * @returns null for one that no schema knows; undefined for what is no path at all
 */
export function attributePath(kind: ResourceKind, text: string): AttributePath | null | undefined {
  const { extension, rest } = splitUri(kind, text.trim());
  const [, name, filter, subName] = FORM.exec(rest) ?? [];
  if (name === undefined) return undefined;
  const attributes =
    extension === null
      ? attributesOf(kind)
      : (kind.extensions.find(({ id }) => id === extension)?.attributes ?? []);
  const attribute = attributeNamed(attributes, name);
  if (attribute === undefined) return null;
  const sub = subName === undefined ? null : attributeNamed(attribute.subAttributes, subName);
  return sub === undefined ? null : { extension, attribute, filter: filter ?? null, sub };
}

/** The URI of an extension of the kind whose whole is meant; null for any other path. */
export function wholeExtension({ extensions }: ResourceKind, text: string): string | null {
  return extensions.find(({ id }) => id.toLowerCase() === text.trim().toLowerCase())?.id ?? null;
}

function splitUri(kind: ResourceKind, text: string): { extension: string | null; rest: string } {
  if (!isUri(text)) return { extension: null, rest: text };
  const lower = text.toLowerCase();
  const startsWith = (id: string): boolean => lower.startsWith(`${id.toLowerCase()}:`);
  if (startsWith(kind.schema.id)) return { extension: null, rest: text.slice(kind.schema.id.length + 1) };
  const known = kind.extensions.find(({ id }) => startsWith(id));
  if (known !== undefined) return { extension: known.id, rest: text.slice(known.id.length + 1) };
  const end = text.lastIndexOf(':');
  return { extension: text.slice(0, end), rest: text.slice(end + 1) };
}
