import type { TypeShape } from './field-types';
/** Distinguishes `@Field` from other decorators in class-validator's metadata storage. */
export declare const FIELD_RULE = "field";
/** Options of a field in addition to its type. */
export interface FieldOptions {
    /** For the OpenAPI document. */
    readonly description?: string;
    /** For the OpenAPI document: a value in its JSON form. */
    readonly example?: unknown;
    /** JSON `null` is a value of this field. */
    readonly nullable?: boolean;
    /** The field may be absent, and then is `undefined`; not needed where the class has an initializer. */
    readonly optional?: boolean;
}
/** One `@Field(...)`, as stored in class-validator's metadata storage. */
export declare class FieldDeclaration {
    readonly type: TypeShape;
    readonly options: FieldOptions;
    constructor(type: TypeShape, options: FieldOptions);
}
/** The class refuses keys it does not declare (`extra_forbidden`); without it they are ignored. */
export declare function ForbidExtraKeys(): ClassDecorator;
/** @returns whether the class, or one it extends, refuses keys it does not declare */
export declare function forbidsExtraKeys(model: object): boolean;
