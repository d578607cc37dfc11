import { type SqlRunner } from './sql';
/** SQL written by hand. Its file is a `*.query.ts` or a `*.read-model.ts` and says why. */
export declare class Statement<Row extends object> {
    private readonly text;
    /** @param text SQL whose parameters are `$1` and so on */
    constructor(text: string);
    /**
     * Runs it, in the transaction when it is given one.
     * @returns the rows that it reads, or that a write returns
     */
    rows(database: SqlRunner, parameters?: readonly unknown[]): Promise<Row[]>;
}
