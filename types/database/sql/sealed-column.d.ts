import type { SecretBox } from '../../common';
import type { DataSource } from 'typeorm';
/** A column whose texts a `SecretBox` has sealed, in a table whose primary key is a UUID `id`; its owner declares it. */
export interface SealedColumn {
    readonly table: string;
    readonly column: string;
    /** What the text of a row is bound to. */
    readonly contextOf: (id: string) => string;
}
/** How many texts of a column each key has sealed, by the key's id. */
export type SealedCounts = ReadonlyMap<string, number>;
/**
 * Re-encrypts with the current key what older keys of the box have sealed; in batches, while the service runs. A
 * row that changes meanwhile keeps its new value.
 * @returns how many texts were moved
 */
export declare function resealColumn(database: DataSource, box: SecretBox, { table, column, contextOf }: SealedColumn): Promise<number>;
/** What each key has sealed in a column, keys that are not known any more included. */
export declare function countSealed(database: DataSource, { table, column }: SealedColumn): Promise<SealedCounts>;
