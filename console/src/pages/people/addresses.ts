/** Most addresses of one invitation. */
export const MOST_ADDRESSES = 100;

/** The addresses in a text: one in each line, or with commas between them, as `Ada <ada@example.com>` or alone. */
export function addressesIn(text: string): string[] {
  return text
    .split(/[\n,;]+/)
    .flatMap((part) => /<([^<>]*)>\s*$/.exec(part)?.[1] ?? part.split(/\s+/))
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
