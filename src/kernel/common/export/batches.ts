/** The lines of some records, and where the next ones begin; null when there were none. */
export interface Batch<Place> {
  readonly lines: string;
  readonly last: Place | null;
}

/**
 * The text of an export, batch after batch as fast as its reader takes them: the next one is read while one is written,
 * and nothing is held in between.
 * @param first the first batch, which is read before the response begins: what fails then is still an error of its own
 * @param next reads the batch that begins behind a place
 * @param gone ends it
 * @throws what `next` throws, in the middle of the text
 */
export async function* inBatches<Place>(
  header: string,
  first: Batch<Place>,
  next: (after: Place) => Promise<Batch<Place>>,
  gone: AbortSignal,
): AsyncGenerator<string> {
  if (header !== '') yield header;
  let batch = first;
  while (batch.last !== null && !gone.aborted) {
    const following = next(batch.last);
    following.catch(() => undefined);
    yield batch.lines;
    batch = await following;
  }
  if (batch.lines !== '') yield batch.lines;
}
