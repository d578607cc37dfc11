import type { OpenAPIObject } from '@nestjs/swagger';
/**
 * Tells the defaults of properties in their descriptions. Generators of clients take a property with a `default` for
 * one that is always there, and would ask for it in every request.
 */
export declare function tellDefaults({ components }: OpenAPIObject): void;
