import type { Settings } from '../../../config';
export type GitCredential = Settings['GIT_CREDENTIALS'][number];
/**
 * The credential for cloning this address in this organization, or null: the longest prefix wins, and an
 * organization's own before one for all (`GIT_CREDENTIALS`; docs/contract.md#settings).
 */
export declare function credentialFor<Credential extends GitCredential>(url: string, orgId: string, credentials: readonly Credential[]): Credential | null;
