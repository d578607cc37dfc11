import { isUtf8 } from 'node:buffer';

/**
 * Decodes the bytes of a JSON text: UTF-8, UTF-16 or UTF-32, detected from a byte order mark or the zero bytes
 * of the first characters. Lone surrogates are accepted in each of them, since clients escape them too.
 * @returns the text without its byte order mark, or null when the bytes are not text
 */
export function decodeJsonBytes(bytes: Buffer): string | null {
  const [first, second] = bytes;
  if (first !== undefined && first !== 0 && first < 0x80 && second !== 0 && isUtf8(bytes)) {
    return bytes.toString('utf8');
  }
  const marked = decodeByMark(bytes);
  return marked === undefined ? decodeByZeroBytes(bytes) : marked;
}

/** @returns undefined for bytes without a byte order mark */
function decodeByMark(bytes: Buffer): string | null | undefined {
  if (startsWith(bytes, 0x00, 0x00, 0xfe, 0xff)) return decodeUtf32(bytes.subarray(4), false);
  if (startsWith(bytes, 0xff, 0xfe, 0x00, 0x00)) return decodeUtf32(bytes.subarray(4), true);
  if (startsWith(bytes, 0xfe, 0xff)) return decodeUtf16(bytes.subarray(2), false);
  if (startsWith(bytes, 0xff, 0xfe)) return decodeUtf16(bytes.subarray(2), true);
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return decodeUtf8(bytes.subarray(3));
  return undefined;
}

/** JSON starts with ASCII characters, so that the zero bytes among the first four show the encoding. */
function decodeByZeroBytes(bytes: Buffer): string | null {
  const [first, second, third, fourth] = bytes;
  if (bytes.length >= 4) {
    if (first === 0) return second === 0 ? decodeUtf32(bytes, false) : decodeUtf16(bytes, false);
    if (second === 0) {
      return third === 0 && fourth === 0 ? decodeUtf32(bytes, true) : decodeUtf16(bytes, true);
    }
  } else if (bytes.length === 2) {
    if (first === 0) return decodeUtf16(bytes, false);
    if (second === 0) return decodeUtf16(bytes, true);
  }
  return decodeUtf8(bytes);
}

function startsWith(bytes: Buffer, ...mark: number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function decodeUtf8(bytes: Buffer): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  // Three bytes ED A0..BF xx encode a lone surrogate; anything else that is not UTF-8 is refused.
  let text = '';
  let from = 0;
  for (let at = bytes.indexOf(0xed); at >= 0; at = bytes.indexOf(0xed, at + 1)) {
    const second = bytes[at + 1] ?? 0;
    const third = bytes[at + 2] ?? 0;
    if (second < 0xa0 || second > 0xbf || third < 0x80 || third > 0xbf) continue;
    const before = bytes.subarray(from, at);
    if (!isUtf8(before)) return null;
    text += before.toString('utf8') + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    from = at + 3;
  }
  const rest = bytes.subarray(from);
  return isUtf8(rest) ? text + rest.toString('utf8') : null;
}

function decodeUtf16(bytes: Buffer, littleEndian: boolean): string | null {
  if (bytes.length % 2 !== 0) return null;
  return littleEndian ? bytes.toString('utf16le') : Buffer.from(bytes).swap16().toString('utf16le');
}

function decodeUtf32(bytes: Buffer, littleEndian: boolean): string | null {
  if (bytes.length % 4 !== 0) return null;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const code = littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (code > 0x10ffff) return null;
    parts.push(String.fromCodePoint(code));
  }
  return parts.join('');
}
