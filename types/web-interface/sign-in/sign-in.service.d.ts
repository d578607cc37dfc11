import type { IncomingMessage } from 'node:http';
import { BrowserSessions } from '../../api-keys';
import { Authentication } from '../../auth';
import { type Settings } from '../../config';
import { FailedCredentials } from '../../http';
/** Signs browsers in and out (docs/web-interface.md#signing-in). */
export declare class SignIn {
    private readonly authentication;
    private readonly failed;
    private readonly sessions;
    private readonly settings;
    constructor(authentication: Authentication, failed: FailedCredentials, sessions: BrowserSessions, settings: Settings);
    /** The e-mail address of the browser's signed-in user, or null. */
    emailOf({ headers }: IncomingMessage): Promise<string | null>;
    /**
     * Starts a session for the browser that sent a key, and ends its previous one.
     * @returns the cookie
     * @throws UnauthenticatedError, TooManyFailedCredentialsError
     */
    signIn(request: IncomingMessage, key: string): Promise<string>;
    /**
     * Ends the session of a request's browser.
     * @returns a cookie header that deletes the session's
     */
    signOut(request: IncomingMessage): Promise<string>;
    private endSession;
}
