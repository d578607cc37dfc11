import type { IncomingHttpHeaders } from 'node:http';
import { HandshakeMalformedError } from '../sandbox-access.errors';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const EXTENSIONS = 'sec-websocket-extensions';

/** What both ends agree on by offering and choosing. */
const NEGOTIATED = ['sec-websocket-protocol', EXTENSIONS] as const;

/** A client's half of the handshake. */
export interface ClientHandshake {
  readonly key: string;
  /** Names of the negotiation headers the client sent. */
  readonly offers: readonly string[];
}

/** @throws HandshakeMalformedError */
export function clientHandshake(headers: IncomingHttpHeaders): ClientHandshake {
  const key = headers['sec-websocket-key'] ?? '';
  const isKey = /^[A-Za-z0-9+/]{22}==$/.test(key);
  if (!isKey || headers['sec-websocket-version'] !== '13') throw new HandshakeMalformedError();
  return { key, offers: NEGOTIATED.filter((name) => headers[name] !== undefined) };
}

/**
 * Headers of a handshake with an agent server; names and values alternate.
 * @param offered the client's headers, whose offers are passed on
 */
export function upstreamHandshake(key: string, offered: IncomingHttpHeaders): string[] {
  const headers = ['sec-websocket-key', key, 'sec-websocket-version', '13'];
  for (const name of NEGOTIATED) {
    const value = offered[name];
    if (value !== undefined) headers.push(name, value);
  }
  return headers;
}

/**
 * What the agent server chose of a client's offers. Compressed messages of the client must stand alone: the first one is
 * taken out where it repeats a key.
 */
export function negotiated({ offers }: ClientHandshake, chosen: Headers): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of offers) {
    const value = chosen[name];
    if (typeof value === 'string') headers[name] = name === EXTENSIONS ? standingAlone(value) : value;
  }
  return headers;
}

/** A server may ask that of a client which has not offered it (RFC 7692, 7.1.1.2). */
function standingAlone(extensions: string): string {
  return extensions
    .split(',')
    .map((extension) =>
      /^\s*permessage-deflate\b/i.test(extension) && !/client_no_context_takeover/i.test(extension)
        ? `${extension.trimEnd()}; client_no_context_takeover`
        : extension,
    )
    .join(',');
}
