import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { isRecord } from '../../common';

/** Where a part stands. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  /** Its name in the components. */
  readonly name: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The same document with what stands in several places once, in its components, and a reference in each place: examples of
 * responses and parameters, then responses as a whole. Two parts that would have one name are numbered.
 * @returns a copy
 */
export function withSharedParts(document: OpenAPIObject): OpenAPIObject {
  const shared = structuredClone(document);
  const operations = Object.values(shared.paths).flatMap((path) =>
    Object.entries(path).flatMap(([method, operation]) =>
      METHODS.includes(method) && isRecord(operation) ? [operation] : [],
    ),
  );
  const components = (shared.components ??= {});
  const share = (kind: 'examples' | 'parameters' | 'responses', places: readonly Place[]): void => {
    components[kind] = partsOf(places, `#/components/${kind}/`);
  };
  share('examples', operations.flatMap(examplesOf));
  share('parameters', operations.flatMap(parametersOf));
  share('responses', operations.flatMap(responsesOf));
  return shared;
}

/** Puts references in the places of parts that occur more than once. @returns those parts, by their names */
function partsOf(places: readonly Place[], prefix: string): Record<string, never> {
  const byText = new Map<string, Place[]>();
  for (const place of places) {
    const text = JSON.stringify(place.holder[place.key]);
    byText.set(text, [...(byText.get(text) ?? []), place]);
  }
  const parts: Record<string, never> = {};
  for (const [first, ...others] of byText.values()) {
    if (first === undefined || others.length === 0) continue;
    let name = first.name;
    for (let number = 2; name in parts; number++) name = `${first.name}${number}`;
    parts[name] = first.holder[first.key] as never;
    for (const { holder, key } of [first, ...others]) holder[key] = { $ref: prefix + name };
  }
  return parts;
}

function examplesOf(operation: Record<string, unknown>): Place[] {
  return membersOf(operation.responses)
    .flatMap(({ content }) => membersOf(content))
    .flatMap(({ examples }) => placesIn(examples, (code) => code));
}

/** Without unions, whose types `oapi-codegen` does not declare for a shared parameter. */
function parametersOf({ parameters }: Record<string, unknown>): Place[] {
  return placesIn(parameters, (_, parameter) => String(parameter.name)).filter(
    ({ holder, key }) => !JSON.stringify(holder[key]).includes('"anyOf"'),
  );
}

/** By their reason phrases: `NotFound`, `NotFound2`. */
function responsesOf({ responses }: Record<string, unknown>): Place[] {
  return placesIn(responses, (status) => (STATUS_CODES[status] ?? status).replace(/\W/g, ''));
}

function membersOf(value: unknown): Record<string, unknown>[] {
  return isRecord(value) ? Object.values(value).filter(isRecord) : [];
}

/** The objects that an object or a list holds. */
function placesIn(
  holder: unknown,
  nameOf: (key: string, part: Readonly<Record<string, unknown>>) => string,
): Place[] {
  if (typeof holder !== 'object' || holder === null) return [];
  return Object.entries(holder).flatMap(([key, part]: [string, unknown]) =>
    isRecord(part) ? [{ holder: holder as Record<string, unknown>, key, name: nameOf(key, part) }] : [],
  );
}
