/** A CHECK of a text column: at most so many characters (docs/contract.md#text-limits). */
export declare function MaxCharacters(most: number, column?: string): PropertyDecorator;
/** As {@link MaxCharacters}, in bytes: the size of a long text is known without reading it. */
export declare function MaxBytes(most: number): PropertyDecorator;
/** As {@link MaxBytes}, of a `jsonb` column as text. */
export declare function MaxJsonBytes(most: number): PropertyDecorator;
/** A CHECK of a text column: one of these values, or null. */
export declare function OneOf(values: readonly string[]): PropertyDecorator;
