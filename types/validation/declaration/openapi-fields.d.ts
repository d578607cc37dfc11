import type { Model, TypeShape } from './field-types';
/** A JSON schema as OpenAPI 3.1 has it. */
type Schema = Readonly<Record<string, unknown>>;
/**
 * Makes the declared fields of a class appear in the OpenAPI document. They are read when the document is
 * made: only then do defaults and classes named later in a file exist.
 * @param prototype of the class, as a property decorator receives it
 */
export declare function describeFieldsOf(prototype: object): void;
/** The classes that other classes refer to, for `extraModels` of `SwaggerModule.createDocument`. */
export declare function referencedModels(): Model[];
/** The JSON schema of a type. */
export declare function schemaOf(type: TypeShape): Schema;
export {};
