import type { Model, TypeShape } from './field-types';
/** A field of a class, with everything declared about it. */
export interface DeclaredField {
    readonly name: string;
    readonly type: TypeShape;
    readonly nullable: boolean;
    /** Absent is a fault. */
    readonly required: boolean;
    /** What the class's initializer gives, or undefined. */
    readonly default: unknown;
    readonly description: string | undefined;
    readonly example: unknown;
}
/** The fields of a class in the order of their declaration, those of the classes it extends first. */
export declare function declaredFields(model: Model): readonly DeclaredField[];
