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
