import type { DataSource } from 'typeorm';
import type { SecretBox } from '../common';
import { type SealedColumn } from '../database';
/** All that is sealed at rest, apart from the check value, which every start renews. */
export declare const SEALED_COLUMNS: readonly SealedColumn[];
/** What is left of a key that is not the current one. */
export interface OldKey {
    /** The id that sealed texts carry. */
    readonly key: string;
    /** Its place in `SECRET_KEYS_OLD`, from 1; null when it is not listed. */
    readonly place: number | null;
    /** Texts that are sealed with it. */
    readonly left: number;
    /** Open invitations whose links derive from it; without it they work on, but are not shown or mailed again. */
    readonly invitations: number;
    /** When the last of these invitations expires. */
    readonly invitations_until: string | null;
    /** Whether the key can be taken out of `SECRET_KEYS_OLD`. */
    readonly can_go: boolean;
}
/** The response of `secrets:reencrypt`. */
export interface Reencrypted {
    readonly moved: number;
    readonly current_key: string;
    readonly old_keys: readonly OldKey[];
}
/**
 * Moves everything that older keys have sealed to the current one, and reports what is left of each
 * (docs/operations.md, "Secrets").
 */
export declare function reencryptSecrets(database: DataSource, box: SecretBox): Promise<Reencrypted>;
