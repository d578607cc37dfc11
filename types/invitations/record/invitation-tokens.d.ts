import { SecretBox } from '../../common';
import { type Settings } from '../../config';
/** Path of the page that the links open. */
export declare const ACCEPT_PATH = "api/organizations/members/invite/accept";
/** What a token is derived from, and the digest it has to have. */
export interface TokenSource {
    readonly id: number;
    readonly generation: number;
    readonly tokenDigest: string;
}
/**
 * The tokens of invitations: derived from id and generation, so that neither the table nor a job contains one
 * (docs/decisions/0020-invitation-tokens-derived.md).
 */
export declare class InvitationTokens {
    private readonly box;
    private readonly settings;
    constructor(box: SecretBox, settings: Settings);
    /** The token of a new generation, and the digest the table stores. */
    issue(id: number, generation: number): {
        token: string;
        digest: string;
    };
    /**
     * The link of an invitation, including one created under an earlier `SECRET_KEY`.
     * @returns null when that key is no longer known
     */
    linkOf({ id, generation, tokenDigest }: TokenSource): string | null;
    /** Where a token is accepted. */
    link(token: string): string;
}
/** @returns the id of the key that the token of an invitation derives from, or null when it is no longer known */
export declare function tokenKeyOf(box: SecretBox, { id, generation, tokenDigest }: TokenSource): string | null;
/** @returns the digest to look a token up by, or null for a text that cannot be one */
export declare function digestOfToken(token: string): string | null;
