/** Credentials for fetching git repositories. */
export declare class GitCredentialsModule {
}
