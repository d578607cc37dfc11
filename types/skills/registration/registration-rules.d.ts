/** Git hosts that have a short form: `github:owner/repo` (docs/contract.md#marketplace-registrations). */
export declare const GIT_HOSTS: ReadonlyMap<string, string>;
/** @returns what is wrong with the name of a registration, or null */
export declare function registrationNameProblem(name: string): string | null;
/** @returns what is wrong with the source of a registration, or null */
export declare function registrationSourceProblem(source: string): string | null;
/** @returns what is wrong with the path inside the repository, or null */
export declare function repoPathProblem(path: string): string | null;
/** The rules of `git check-ref-format`, and no leading hyphen that git could take for an option. */
export declare function refProblem(ref: string): string | null;
