import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  readonly id: string;
  readonly cipher: Buffer;
  readonly mac: Buffer;
}

/**
 * Encrypts secrets at rest with AES-256-GCM under keys derived from `SECRET_KEY`
 * (docs/decisions/0024-secrets-at-rest-encrypted.md). A ciphertext reads
 * `<key id>.<base64url of nonce, tag and text>`, so that rows written under an older key stay readable while
 * `SECRET_KEYS_OLD` lists it.
 */
export class SecretBox {
  private readonly keys: readonly Key[];

  /** @param secrets the current secret first, then older ones that may still have to be read */
  constructor(secrets: readonly [string, ...string[]]) {
    this.keys = secrets.map(deriveKey);
  }

  /** The id of the key that new ciphertexts carry. */
  get currentKeyId(): string {
    return this.current().id;
  }

  /** The ids of all keys, the current one first. */
  get keyIds(): readonly string[] {
    return this.keys.map(({ id }) => id);
  }

  /** @param context binds the ciphertext to its place, for example `sandbox:<id>`; opening needs the same */
  seal(plain: string, context: string): string;
  /** As it is; null, for no secret, stays null. */
  seal(plain: string | null, context: string): string | null;
  seal(plain: string | null, context: string): string | null {
    if (plain === null) return null;
    const key = this.current();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.cipher, nonce);
    cipher.setAAD(Buffer.from(context));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  /** @throws Error when none of the keys fits, or the ciphertext was changed or belongs to another context */
  open(sealed: string, context: string): string;
  /** As it is; null, for no secret, stays null. */
  open(sealed: string | null, context: string): string | null;
  open(sealed: string | null, context: string): string | null {
    if (sealed === null) return null;
    const dot = sealed.indexOf('.');
    const key = this.keys.find(({ id }) => id === sealed.slice(0, dot));
    if (!key)
      throw new Error('The secret was encrypted with a key that SECRET_KEY and SECRET_KEYS_OLD lack.');
    const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key.cipher, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  }

  /** HMAC-SHA-256 of a text under the current key, for tokens that are derived instead of stored. */
  mac(text: string): Buffer {
    return macOf(this.current(), text);
  }

  /** {@link mac} under every key, the current one first: for values derived before the key changed. */
  macs(text: string): Buffer[] {
    return this.keys.map((key) => macOf(key, text));
  }

  /** Six digits out of a {@link mac}, for codes that people type. */
  sixDigits(text: string): string {
    return String(this.mac(text).readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
  }

  private current(): Key {
    const [first] = this.keys;
    if (!first) throw new Error('A secret box needs a key.');
    return first;
  }
}

function macOf(key: Key, text: string): Buffer {
  return createHmac('sha256', key.mac).update(text).digest();
}

function deriveKey(secret: string): Key {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'org-conversation-service', purpose, 32));
  return {
    id: createHash('sha256').update(derive('key id')).digest('hex').slice(0, 8),
    cipher: derive('encryption'),
    mac: derive('mac'),
  };
}

/** The SHA-256 digest of a text, in hexadecimal: keys and tokens are stored as this only. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}
