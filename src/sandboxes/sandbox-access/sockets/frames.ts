import { createHash, randomBytes } from 'node:crypto';
import { constants, inflateRawSync } from 'node:zlib';

const TEXT = 0x81;
const COMPRESSED = 0x40;
/** What the sender leaves out at the end of a compressed message (RFC 7692, 7.2.2). */
const COMPRESSED_END = Buffer.from([0, 0, 0xff, 0xff]);
const CLOSE = 0x88;
const PING = 0x89;
const MASKED = 0x80;
const CONTROL = 0x08;
const MASK_BYTES = 4;
const LONGEST_CONTROL = 125;
/** Appended to a handshake's key (RFC 6455, 4.2.2). */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The `Sec-WebSocket-Accept` for a handshake's key. */
export function acceptOf(key: string): string {
  return createHash('sha1')
    .update(key + HANDSHAKE_GUID)
    .digest('base64');
}

/** A new key for a handshake. */
export function newHandshakeKey(): string {
  return randomBytes(16).toString('base64');
}

/** A ping frame for a client. */
export const PING_TO_CLIENT = Buffer.from([PING, 0]);

/** A ping frame for a server, masked. */
export function pingToServer(): Buffer {
  return Buffer.concat([Buffer.from([PING, MASKED]), randomBytes(4)]);
}

/** A close frame for a client. */
export function closeToClient(code: number, reason: string): Buffer {
  const payload = closePayload(code, reason);
  return Buffer.concat([Buffer.from([CLOSE, payload.length]), payload]);
}

/** A close frame for a server, masked. */
export function closeToServer(code: number, reason: string): Buffer {
  const payload = closePayload(code, reason);
  const mask = randomBytes(4);
  return Buffer.concat([Buffer.from([CLOSE, MASKED | payload.length]), mask, unmasked(payload, mask)]);
}

/**
 * The first text that a client sent, compressed or not, where it has come whole.
 * @param longest a longer text is none
 * @returns the text and how many bytes it took; `incomplete` while more has to come; null for anything else
 */
export function firstText(
  bytes: Buffer,
  longest: number,
): { text: string; end: number } | 'incomplete' | null {
  if (bytes.length < 2) return 'incomplete';
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  if ((first & ~COMPRESSED) !== TEXT || (second & MASKED) === 0 || short === 127) return null;
  const maskAt = short === 126 ? 4 : 2;
  const payloadAt = maskAt + MASK_BYTES;
  if (bytes.length < payloadAt) return 'incomplete';
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  if (length > longest) return null;
  const end = payloadAt + length;
  if (bytes.length < end) return 'incomplete';
  const payload = unmasked(bytes.subarray(payloadAt, end), bytes.subarray(maskAt, payloadAt));
  const plain = (first & COMPRESSED) === 0 ? payload : inflated(payload, longest);
  return plain === null ? null : { text: plain.toString('utf8'), end };
}

/** Where the frames of a client end that are pings and answers to them, before its first message. */
export function controlFramesEnd(bytes: Buffer): number {
  let end = 0;
  for (;;) {
    const [first = 0, second = 0] = bytes.subarray(end, end + 2);
    const next = end + 2 + MASK_BYTES + (second & 0x7f);
    if ((first & CONTROL) === 0 || next > bytes.length) return end;
    end = next;
  }
}

/** The first compressed message of a connection; null for a malformed or a longer one. */
function inflated(payload: Buffer, longest: number): Buffer | null {
  try {
    return inflateRawSync(Buffer.concat([payload, COMPRESSED_END]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: longest,
    });
  } catch {
    return null;
  }
}

/** Whether a server's close frame is complete. */
export function isWholeClose(bytes: Buffer): boolean {
  const [, length = LONGEST_CONTROL] = bytes;
  return bytes.length >= 2 + Math.min(length, LONGEST_CONTROL);
}

function closePayload(code: number, reason: string): Buffer {
  const text = Buffer.from(reason).subarray(0, LONGEST_CONTROL - 2);
  const payload = Buffer.alloc(2 + text.length);
  payload.writeUInt16BE(code);
  text.copy(payload, 2);
  return payload;
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  return Buffer.from(payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0)));
}
