import { getMetadataStorage } from 'class-validator';
import type { Model, TypeShape } from './field-types';
/** A rule as a decorator of class-validator leaves it in its storage. */
export type StoredRule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
/**
 * The type that class-validator's own decorators of a property declare, as one of our types. What has no
 * counterpart, custom validators included, is run unchanged and reported as a `value_error`.
 */
export declare function typeOfRules(model: Model, property: string, rules: readonly StoredRule[]): TypeShape;
/** The type, together with those rules that are not part of it. */
export declare function withRules(model: Model, property: string, type: TypeShape, rules: readonly StoredRule[]): TypeShape;
