import type { OpenAPIObject } from '@nestjs/swagger';

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
