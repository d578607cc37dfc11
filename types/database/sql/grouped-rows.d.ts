/** Rows by what they are of, in their order. */
export declare function groupedRows<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]>;
