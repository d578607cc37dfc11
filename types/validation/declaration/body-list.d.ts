import { type Model, type TypeShape } from './field-types';
interface ListOptions {
    readonly min?: number;
    readonly max?: number;
    readonly example?: readonly object[];
}
/**
 * The body is a JSON array of objects of one class; used in place of `@Body()`.
 * @param options how many items there may be, and an example of the list
 */
export declare function BodyList(of: Model, options?: ListOptions): ParameterDecorator;
/** The type of the handler's body as `@BodyList` declared it, if it did. */
export declare function bodyListOf(prototype: object, method: string): TypeShape | undefined;
export {};
