/**
 * Where to go after signing in: the requested path if it belongs to this service, else `/`. Parsed as browsers parse
 * links, since they take `//host`, `/\host` and `/<tab>/host` for another host.
 */
export declare function returnPath(text: string): string;
