/** Longer names are cut. */
export declare const MAX_KEY_NAME = 255;
export declare class ApiKey {
    id: number;
    userId: string;
    /** The organization the key is bound to; null for a key that works in all of its user's organizations. */
    orgId: string | null;
    name: string | null;
    /** The first characters of the key, to recognize it by. */
    prefix: string;
    /** SHA-256 of the key, in hexadecimal. The key itself is not stored. */
    digest: string;
    createdAt: Date;
    lastUsedAt: Date | null;
    notBefore: Date | null;
    expiresAt: Date | null;
    /** Whether another service was given it, to act for its user (docs/contract.md#keys-for-other-services). */
    isOfService: boolean;
}
