import { Repository } from 'typeorm';
import { AuthCaches, type Caller, type VerifiedKey } from '../../auth';
import { Clock } from '../../common';
import { JobHandlers } from '../../jobs';
import { BrowserSession } from './browser-session.entity';
import type { BrowserSessionEnded, BrowserSessionResponse } from './browser-sessions.dto';
/** Sessions of browsers signed in with a key (docs/web-interface.md#sessions). */
export declare class BrowserSessions {
    private readonly sessions;
    private readonly caches;
    private readonly clock;
    constructor(sessions: Repository<BrowserSession>, caches: AuthCaches, clock: Clock, handlers: JobHandlers);
    /**
     * Starts a session for a key.
     * @param userAgent the browser's `User-Agent`
     * @returns its token, of which only the digest is stored
     */
    start({ keyId }: VerifiedKey, userAgent: string | undefined): Promise<string>;
    /** Ends the session of a token, if there is one. */
    end(token: string): Promise<void>;
    /** The caller's sessions, most recently used first; for a bound key those of its organization's keys. */
    list(caller: Caller): Promise<BrowserSessionResponse[]>;
    /**
     * Ends a session of the caller; later requests with it are 401.
     * @throws BrowserSessionNotFoundError
     */
    revoke(caller: Caller, idText: string): Promise<BrowserSessionEnded>;
    private deleteIdle;
}
