const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the text after the `?` of a request.
 * @param wanted the names that count; others are skipped
 * @returns the values of each name, decoded, in their order; `?page` and `?page=` both have an empty one
 */
export function readQuery(text: string, wanted: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let start = 0; start < text.length;) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    let equals = text.indexOf('=', start);
    if (equals < 0 || equals > end) equals = end;
    const name = decodeQueryText(text.slice(start, equals));
    if (end > start && wanted.has(name)) {
      const value = decodeQueryText(text.slice(equals + 1, end));
      const values = found.get(name);
      if (values) values.push(value);
      else found.set(name, [value]);
    }
    start = end + 1;
  }
  return found;
}

/** Malformed escapes are taken literally; bytes that are not UTF-8 become U+FFFD. */
function decodeQueryText(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(/(?:%[0-9A-Fa-f]{2}|[\x00-\x7f])+/g, (run) =>
    run.includes('%') ? decodeAscii(run) : run,
  );
}

function decodeAscii(run: string): string {
  const bytes = Buffer.alloc(run.length);
  let length = 0;
  for (let i = 0; i < run.length; i++) {
    const escape = run[i] === '%' ? run.slice(i + 1, i + 3) : '';
    if (/^[0-9A-Fa-f]{2}$/.test(escape)) {
      bytes[length++] = parseInt(escape, 16);
      i += 2;
    } else {
      bytes[length++] = run.charCodeAt(i);
    }
  }
  return utf8.decode(bytes.subarray(0, length));
}
