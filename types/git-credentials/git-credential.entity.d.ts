import { type CredentialProvider } from './credential-providers';
/** A user name and password for the repositories below a URL prefix, of a user or an organization. */
export declare class GitCredentialRow {
    id: string;
    userId: string | null;
    orgId: string | null;
    urlPrefix: string;
    username: string;
    sealedPassword: string;
    /** Whose repositories are there; null where the host tells. */
    gitProvider: CredentialProvider | null;
}
