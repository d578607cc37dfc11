import { type Check } from '../errors/cursor';
import { type DeclaredField } from '../declaration/declared-fields';
import type { Model, TypeShape } from '../declaration/field-types';
/** The check of a declared type. */
export declare function checkOf(type: TypeShape): Check;
/** A field of a class, and the check of its value. */
export interface CheckedField {
    readonly name: string;
    readonly required: boolean;
    readonly check: Check;
    readonly declared: DeclaredField;
}
/** The fields of a class with their checks, null included where it is a value. */
export declare function checkedFields(model: Model): readonly CheckedField[];
/** The check of an object of a class; the value is an instance of it, defaults included. */
export declare function modelCheck(model: Model): Check;
/** The fault of a field that is absent; `parent` is the object it should be in. */
export declare const missing: Check;
/** A new instance of a class, as an object to be filled. */
export declare function instanceOf(model: Model): Record<string, unknown>;
