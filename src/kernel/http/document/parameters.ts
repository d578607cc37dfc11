import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './shared-responses';

/** Swagger UI sends `example` along when a request is tried out; of optional parameters it is only to be shown. */
export function showExamplesOnly({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (!('in' in parameter) || parameter.required === true || !parameter.schema) continue;
    if (!('example' in parameter.schema)) continue;
    const shown: unknown = parameter.schema.example;
    const schema = { ...parameter.schema, examples: [shown] };
    delete schema.example;
    parameter.schema = schema;
  }
}

/** `@ApiHeader` gives every header the type `string`, also where its schema names types. */
export function showOneType({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (!('in' in parameter) || !parameter.schema || !('anyOf' in parameter.schema)) continue;
    const schema = { ...parameter.schema };
    delete schema.type;
    parameter.schema = schema;
  }
}

/**
 * Tells the defaults of properties in their descriptions. Generators of clients take a property with a `default` for
 * one that is always there, and would ask for it in every request.
 */
export function tellDefaults({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('$ref' in schema) continue;
    for (const property of Object.values(schema.properties ?? {})) {
      if ('$ref' in property || property.default === undefined) continue;
      const told = `Default: \`${JSON.stringify(property.default)}\`.`;
      property.description = [property.description, told].filter(Boolean).join(' ');
      delete property.default;
    }
  }
}
