/** Where short names of repositories lead. */
export interface RepositoryPlace {
    readonly provider: string | null;
    /** Scheme and host of the provider for whom it is; null for its public host. */
    readonly origin: string | null;
}
/** A repository to clone and the name of the folder it goes into. */
export interface RepositoryAddress {
    readonly url: string;
    readonly folder: string;
}
/**
 * Reads `selected_repository`: `owner/repo` at the provider (of Azure DevOps `organization/project/repo`), or an https
 * address. Plain http is for hosts
 * the operator allowed only.
 * @throws StartFailedError for anything else; a name and password in an address are refused, because the
 *   address shows in responses
 */
export declare function repositoryAddress(repository: string, { provider, origin }: RepositoryPlace, allowedHosts: readonly string[]): RepositoryAddress;
