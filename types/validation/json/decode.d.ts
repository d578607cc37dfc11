/**
 * Decodes the bytes of a JSON text: UTF-8, UTF-16 or UTF-32, detected from a byte order mark or the zero bytes
 * of the first characters. Lone surrogates are accepted in each of them, since clients escape them too.
 * @returns the text without its byte order mark, or null when the bytes are not text
 */
export declare function decodeJsonBytes(bytes: Buffer): string | null;
