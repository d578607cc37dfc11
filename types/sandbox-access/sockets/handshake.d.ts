import type { IncomingHttpHeaders } from 'node:http';
type Headers = Readonly<Record<string, string | string[] | undefined>>;
/** A client's half of the handshake. */
export interface ClientHandshake {
    readonly key: string;
    /** Names of the negotiation headers the client sent. */
    readonly offers: readonly string[];
}
/** @throws HandshakeMalformedError */
export declare function clientHandshake(headers: IncomingHttpHeaders): ClientHandshake;
/**
 * Headers of a handshake with an agent server; names and values alternate.
 * @param offered the client's headers, whose offers are passed on
 */
export declare function upstreamHandshake(key: string, offered: IncomingHttpHeaders): string[];
/**
 * What the agent server chose of a client's offers. Compressed messages of the client must stand alone: the first one is
 * taken out where it repeats a key.
 */
export declare function negotiated({ offers }: ClientHandshake, chosen: Headers): Record<string, string>;
export {};
