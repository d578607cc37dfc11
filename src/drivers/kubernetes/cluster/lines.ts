/** More in a line is no object of a cluster, whose objects have 3 MiB at most. */
const MAX_LINE = 8 * 1024 * 1024;

/** The lines of a stream of bytes as they come; what comes after the last line end is left out. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8');
      parts = [];
      held = 0;
      from = end + 1;
      if (line !== '') yield line;
    }
    parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > MAX_LINE) throw new Error('A line is too long.');
  }
}

/** What comes last of a stream. */
export interface End {
  readonly text: string;
  /** Whether it is all there was. */
  readonly isWhole: boolean;
}

/** The last so many bytes of a stream, of which no more is held than these and what comes at once. */
export async function endOf(stream: AsyncIterable<Buffer>, bytes: number): Promise<End> {
  const parts: Buffer[] = [];
  let held = 0;
  let isWhole = true;
  for await (const chunk of stream) {
    parts.push(chunk);
    held += chunk.length;
    for (let first = parts[0]; first !== undefined && held - first.length >= bytes; first = parts[0]) {
      parts.shift();
      held -= first.length;
      isWhole = false;
    }
  }
  const all = Buffer.concat(parts);
  return { text: all.subarray(-bytes).toString('utf8'), isWhole: isWhole && held <= bytes };
}
