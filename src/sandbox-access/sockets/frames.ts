import { createHash, randomBytes } from 'node:crypto';

const TEXT = 0x81;
const CLOSE = 0x88;
const PING = 0x89;
const MASKED = 0x80;
const LONGEST_CONTROL = 125;
/** Appended to a handshake's key (RFC 6455, 4.2.2). */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The response to the key of a handshake. */
export function acceptOf(key: string): string {
  return createHash('sha1')
    .update(key + HANDSHAKE_GUID)
    .digest('base64');
}

/** A new key for a handshake. */
export function newHandshakeKey(): string {
  return randomBytes(16).toString('base64');
}

/** A frame that asks a client whether it is there. */
export const PING_TO_CLIENT = Buffer.from([PING, 0]);

/** The same for a server, to which everything is masked. */
export function pingToServer(): Buffer {
  return Buffer.concat([Buffer.from([PING, MASKED]), randomBytes(4)]);
}

/** A frame that closes, for a client. */
export function closeToClient(code: number, reason: string): Buffer {
  const payload = closePayload(code, reason);
  return Buffer.concat([Buffer.from([CLOSE, payload.length]), payload]);
}

/** The same for a server. */
export function closeToServer(code: number, reason: string): Buffer {
  const payload = closePayload(code, reason);
  const mask = randomBytes(4);
  return Buffer.concat([Buffer.from([CLOSE, MASKED | payload.length]), mask, unmasked(payload, mask)]);
}

/**
 * The first text that a client sent, where it has come whole.
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
  if (first !== TEXT || (second & MASKED) === 0 || short === 127) return null;
  const maskAt = short === 126 ? 4 : 2;
  const payloadAt = maskAt + 4;
  if (bytes.length < payloadAt) return 'incomplete';
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  if (length > longest) return null;
  const end = payloadAt + length;
  if (bytes.length < end) return 'incomplete';
  const payload = unmasked(bytes.subarray(payloadAt, end), bytes.subarray(maskAt, payloadAt));
  return { text: payload.toString('utf8'), end };
}

/** Whether a frame that closes, of a server, has come whole. */
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
