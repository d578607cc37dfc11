import type { OpenAPIObject } from '@nestjs/swagger';
import { isRecord } from '../../common';
import { forbidsExtraKeys, type Model } from '../../validation';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const named = new Map<string, Schema>();

/**
 * Makes a schema that is no class's a component of the document, so that generators of clients have one type for it.
 * @returns the reference to it
 */
export function namedSchema(name: string, schema: Schema): { readonly $ref: string } {
  named.set(name, { title: name, ...schema });
  return { $ref: `#/components/schemas/${name}` };
}

/** A copy of them all, by name. */
export function namedSchemas(): Record<string, Schema> {
  return structuredClone(Object.fromEntries(named));
}

/**
 * Says of the schemas of classes that refuse unknown keys that they do.
 * @param models the classes, whose names are those of their schemas
 */
export function closeSchemas(document: OpenAPIObject, models: readonly Model[]): void {
  for (const model of models.filter(forbidsExtraKeys)) {
    const schema = document.components?.schemas?.[model.name];
    if (schema && !('$ref' in schema)) schema.additionalProperties = false;
  }
}

/**
 * Replaces every `anyOf` of one schema by that schema: @nestjs/swagger keeps a description next to a reference,
 * and leaves an empty schema alone, in this form only.
 */
export function unwrapSingles(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(unwrapSingles);
    return;
  }
  if (!isRecord(node)) return;
  for (const [key, value] of Object.entries(node)) {
    // A property may be named like a keyword.
    if (key === 'properties' && isRecord(value)) Object.values(value).forEach(unwrapSingles);
    else if (key !== 'example' && key !== 'examples' && key !== 'default') unwrapSingles(value);
  }
  const { anyOf } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 1) return;
  const [only] = Array.from<unknown>(anyOf);
  delete node.anyOf;
  Object.assign(node, only);
}

/**
 * Lists all permissions wherever a response has those of a role: classes are declared before it is known which
 * permissions extensions bring.
 */
export function listPermissions({ components }: OpenAPIObject, all: readonly string[]): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    const permissions = 'properties' in schema ? schema.properties.permissions : undefined;
    if (permissions === undefined || !('items' in permissions)) continue;
    if ('enum' in permissions.items) permissions.items.enum = [...all];
  }
}
