import type { Socket } from 'node:net';
import { z } from 'zod';
import { controlFramesEnd, firstText } from './frames';

/** The timeout of agent servers. */
const WITHIN_MS = 10_000;
const LONGEST = 4_096;

const authMessage = z.object({ type: z.literal('auth'), session_api_key: z.string() });

/**
 * Reads the key from the first message of a WebSocket, `{"type": "auth", "session_api_key": …}`, and leaves the bytes
 * after it unread.
 * @param stopped ends the wait
 * @returns null for another message, or none in time
 */
export function firstMessageKey(socket: Socket, stopped: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const done = (key: string | null, end: number): void => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', onEnd);
      socket.off('data', onData).off('close', onEnd).off('end', onEnd).pause();
      if (end < bytes.length) socket.unshift(bytes.subarray(end));
      resolve(key);
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const message = firstText(bytes, LONGEST);
      if (message === 'incomplete') return;
      if (message === null) done(null, bytes.length);
      else done(keyIn(message.text), message.end);
    };
    const onEnd = (): void => done(null, bytes.length);
    const timer = setTimeout(onEnd, WITHIN_MS);
    stopped.addEventListener('abort', onEnd);
    socket.on('data', onData).once('close', onEnd).once('end', onEnd);
  });
}

/**
 * Takes a key out of the first message of a caller who has shown one already: some repeat it there, and it is for the
 * service alone. Also a compressed one, which what follows does not refer to (see `negotiated`).
 */
export class RepeatedKey {
  private held: Buffer | null = Buffer.alloc(0);

  /** @returns the bytes to pass on; none while they may be the beginning of a key */
  without(chunk: Buffer): Buffer {
    if (this.held === null) return chunk;
    const bytes = Buffer.concat([this.held, chunk]);
    const begin = controlFramesEnd(bytes);
    const message = firstText(bytes.subarray(begin), LONGEST);
    if (message === 'incomplete') {
      this.held = bytes.subarray(begin);
      return bytes.subarray(0, begin);
    }
    this.held = null;
    const isKey = message !== null && keyIn(message.text) !== null;
    return isKey ? Buffer.concat([bytes.subarray(0, begin), bytes.subarray(begin + message.end)]) : bytes;
  }
}

function keyIn(text: string): string | null {
  try {
    const message = authMessage.safeParse(JSON.parse(text));
    return message.success ? message.data.session_api_key : null;
  } catch {
    return null;
  }
}
