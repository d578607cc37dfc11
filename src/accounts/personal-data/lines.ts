/**
 * Rows as lines of JSON, a page at a time.
 * @param page the rows after a given one; none where there are no more
 * @param toLine what of a row is shown: an object, or a text that is JSON already
 */
export async function* pagedLines<Row>(
  page: (after: Row | null) => Promise<readonly Row[]>,
  toLine: (row: Row) => object | string,
): AsyncGenerator<string> {
  let after: Row | null = null;
  for (;;) {
    const rows: readonly Row[] = await page(after);
    for (const row of rows) {
      const line = toLine(row);
      yield typeof line === 'string' ? line : JSON.stringify(line);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** As {@link pagedLines}, of few rows that are read at once. */
export async function* fewLines<Row>(
  read: () => Promise<readonly Row[]>,
  toLine: (row: Row) => object,
): AsyncGenerator<string> {
  for (const row of await read()) yield JSON.stringify(toLine(row));
}

/** A text that is JSON, in one line. */
export function inLine(json: string): string {
  return /[\r\n]/.test(json) ? JSON.stringify(JSON.parse(json)) : json;
}
