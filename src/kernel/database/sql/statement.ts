import { queryRows, type SqlRunner } from './sql';

/** SQL written by hand. Its file is a `*.query.ts` or a `*.read-model.ts` and says why. */
export class Statement<Row extends object> {
  /** @param text SQL whose parameters are `$1` and so on */
  constructor(private readonly text: string) {}

  /**
   * Runs it, in the transaction when it is given one.
   * @returns the rows that it reads, or that a write returns
   */
  rows(database: SqlRunner, parameters: readonly unknown[] = []): Promise<Row[]> {
    return queryRows(database, this.text, parameters);
  }
}
