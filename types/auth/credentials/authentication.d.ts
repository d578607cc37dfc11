import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Settings } from '../../config';
import { AuthCaches } from './auth-caches';
import { CredentialVerifier, SandboxCredentialVerifier, SessionVerifier, TicketRedeemer, type VerifiedKey } from '../identity/ports';
import type { SandboxCaller } from '../identity/principal';
/** Whose key a request carries. */
export type KeyHolder = {
    readonly user: VerifiedKey;
} | {
    readonly sandbox: SandboxCaller;
};
/** Authenticates callers from the headers alone. */
export declare class Authentication {
    private readonly keys;
    private readonly sessionKeys;
    private readonly sessions;
    private readonly tickets;
    private readonly caches;
    private readonly settings;
    constructor(keys: CredentialVerifier, sessionKeys: SandboxCredentialVerifier, sessions: SessionVerifier, tickets: TicketRedeemer, caches: AuthCaches, settings: Settings);
    /**
     * The user of a request's key; of a request without one, the user who is signed in in the browser that sent it, where
     * a page of the service made it do so (docs/web-interface.md#when-a-cookie-counts).
     * @throws UnauthenticatedError
     */
    caller(request: IncomingMessage): Promise<VerifiedKey>;
    /**
     * Who is signed in in the browser that sent a request, where a page of the service made it do so.
     * @returns null for nobody
     */
    signedIn(request: IncomingMessage): Promise<VerifiedKey | null>;
    /**
     * Who is signed in in the browser that sent a request, whatever made it do so: only for pages that show nothing of
     * theirs to anybody else, and change nothing.
     * @returns null for nobody
     */
    visitor(headers: IncomingHttpHeaders): Promise<VerifiedKey | null>;
    /**
     * The user whose key, or session, made a ticket; uses it up.
     * @param subject what the ticket has to be for
     * @throws TicketRefusedError also when the key works no longer, or the session has ended
     */
    ticketHolder(ticket: string, subject: string): Promise<VerifiedKey>;
    /** @throws UnauthenticatedError */
    user(headers: IncomingHttpHeaders): Promise<VerifiedKey>;
    /** @throws UnauthenticatedError */
    sandbox(headers: IncomingHttpHeaders): Promise<SandboxCaller>;
    /**
     * Asserts that a request comes from another service that the operator gave a key.
     * @throws ServiceAccessOffError, UnauthenticatedError
     */
    service(headers: IncomingHttpHeaders): void;
    /**
     * A user by any of their credentials, or a sandbox by its own key in `X-Session-API-Key`.
     * @param headers those of the request, or a key sent another way, as `x-session-api-key`
     * @throws UnauthenticatedError
     */
    userOrSandbox(request: IncomingMessage, headers: IncomingHttpHeaders): Promise<KeyHolder>;
    private userOf;
    private sandboxOf;
}
