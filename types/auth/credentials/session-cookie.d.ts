import type { IncomingHttpHeaders } from 'node:http';
import { type Settings } from '../../config';
/**
 * The token of the session that a browser's cookie names.
 * @returns null where there is no such cookie, or several: whoever planted the other one is not to choose
 */
export declare function sessionToken({ cookie }: IncomingHttpHeaders, settings: Settings): string | null;
/** The value of `Set-Cookie` that gives a browser its session. */
export declare function sessionCookie(token: string, settings: Settings): string;
/** The value of `Set-Cookie` that takes a browser's session away. */
export declare function endedSessionCookie(settings: Settings): string;
