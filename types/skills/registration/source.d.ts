import type { AllowedHosts } from '../../common';
/** Where a registration's marketplace is. */
export type MarketplaceSource = {
    readonly kind: 'git';
    readonly url: string;
} | {
    readonly kind: 'local';
    readonly path: string;
};
/**
 * What a short form (`github:owner/repo`; docs/contract.md#marketplace-registrations) stands for, or null
 * when the source is none.
 */
export declare function expandShortForm(source: string): string | null;
/** True when the source names a folder instead of a repository. */
export declare function isLocalPath(source: string): boolean;
/**
 * Reads the source of a registration that is to be fetched.
 * @throws RegistrationProblem for sources that are never fetched: anything but https, or http on hosts that the
 *   operator allows
 */
export declare function parseSource(source: string, allowedHosts: AllowedHosts): MarketplaceSource;
