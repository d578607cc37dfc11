import { type CredentialProvider } from '../credential-providers';
/** A credential without its password. */
export declare class GitCredential {
    id: string;
    url_prefix: string;
    username: string;
    git_provider: CredentialProvider | null;
}
export declare class GitCredentialList {
    credentials: GitCredential[];
}
export declare class GitCredentialCreate {
    url_prefix: string;
    username: string;
    password: string;
    git_provider?: CredentialProvider | null;
}
/** What is to be changed of a credential; what is absent stays. */
export declare class GitCredentialUpdate {
    url_prefix?: string;
    username?: string;
    password?: string;
    git_provider?: CredentialProvider | null;
}
export declare class GitCredentialPath {
    credential_id: string;
}
export declare class OrgGitCredentialsPath {
    org_id: string;
}
export declare class OrgGitCredentialPath extends OrgGitCredentialsPath {
    credential_id: string;
}
