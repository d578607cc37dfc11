/**
 * Encrypts secrets at rest with AES-256-GCM under keys derived from `SECRET_KEY`
 * (docs/decisions/0024-secrets-at-rest-encrypted.md). A ciphertext reads
 * `<key id>.<base64url of nonce, tag and text>`, so that rows written under an older key stay readable while
 * `SECRET_KEYS_OLD` lists it.
 */
export declare class SecretBox {
    private readonly keys;
    /** @param secrets the current secret first, then older ones that may still have to be read */
    constructor(secrets: readonly [string, ...string[]]);
    /** The id of the key that new ciphertexts carry. */
    get currentKeyId(): string;
    /** The ids of all keys, the current one first. */
    get keyIds(): readonly string[];
    /** @param context binds the ciphertext to its place, for example `sandbox:<id>`; opening needs the same */
    seal(plain: string, context: string): string;
    /** @throws Error when none of the keys fits, or the ciphertext was changed or belongs to another context */
    open(sealed: string, context: string): string;
    /** HMAC-SHA-256 of a text under the current key, for tokens that are derived instead of stored. */
    mac(text: string): Buffer;
    /** {@link mac} under every key, the current one first: for what was derived before the key changed. */
    macs(text: string): Buffer[];
    private current;
}
/** The SHA-256 digest of a text, in hexadecimal: keys and tokens are stored as this only. */
export declare function digestOf(text: string): string;
