import { type Settings } from '../../config';
import { GitCredentialsRepository } from '../../git-credentials';
import { type GitCredential } from './git/git-credentials';
/** Whose credentials may be used: the organization's, and a user's before them. */
export interface CredentialUser {
    readonly orgId: string;
    readonly userId: string | null;
}
/** Finds the credential for a repository among those that people keep, and behind them `GIT_CREDENTIALS`. */
export declare class KeptCredentials {
    private readonly settings;
    private readonly kept;
    constructor(settings: Settings, kept: GitCredentialsRepository);
    /** @returns null where nobody has one for this address */
    forUrl(url: string, { orgId, userId }: CredentialUser): Promise<GitCredential | null>;
}
