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
