import type { OpenAPIObject } from '@nestjs/swagger';
import { type Model } from '../../validation';
/**
 * Says of the schemas of classes that refuse unknown keys that they do.
 * @param models the classes, whose names are those of their schemas
 */
export declare function closeSchemas(document: OpenAPIObject, models: readonly Model[]): void;
/**
 * Replaces every `anyOf` of one schema by that schema: @nestjs/swagger keeps a description next to a reference,
 * and leaves an empty schema alone, in this form only.
 */
export declare function unwrapSingles(node: unknown): void;
/**
 * Lists all permissions wherever a response has those of a role: classes are declared before it is known which
 * permissions extensions bring.
 */
export declare function listPermissions({ components }: OpenAPIObject, all: readonly string[]): void;
