/** Searches of repositories and branches at their providers. */
export declare class GitSearchModule {
}
