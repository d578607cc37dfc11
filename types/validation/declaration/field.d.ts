import { type FieldOptions } from './declaration';
import type { FieldType } from './field-types';
type NullOf<O> = O extends {
    readonly nullable: true;
} ? null : never;
/** `unknown` where a property can hold the value (or its form in a response), else `never`. */
type Fits<V, W, O, Declared> = V | NullOf<O> extends Declared ? unknown : W | NullOf<O> extends Declared ? unknown : never;
/**
 * Declares a field of a request or a response: its check, its type and its OpenAPI schema.
 * The property's TypeScript type has to be able to hold what the declared type yields.
 */
export declare function Field<V, W, const O extends FieldOptions = FieldOptions>(type: FieldType<V, W>, options?: O): <C extends object, K extends string & keyof C>(target: C, key: K & Fits<V, W, O, C[K]>) => void;
export {};
