import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../../common';
import { AuthCaches } from './auth-caches';
import { UnauthenticatedError } from '../identity/auth.errors';
import { presentedKey, sessionKey } from './credentials';
import { CredentialVerifier, SandboxCredentialVerifier, type VerifiedKey } from '../identity/ports';
import type { SandboxCaller } from '../identity/principal';

/** Whose key a request carries. */
export type KeyHolder = { readonly user: VerifiedKey } | { readonly sandbox: SandboxCaller };

/** Authenticates callers from the headers alone. */
@Injectable()
export class Authentication {
  constructor(
    private readonly keys: CredentialVerifier,
    private readonly sessionKeys: SandboxCredentialVerifier,
    private readonly caches: AuthCaches,
  ) {}

  /** @throws UnauthenticatedError */
  async user(headers: IncomingHttpHeaders): Promise<VerifiedKey> {
    const key = presentedKey(headers);
    const verified = key === null ? null : await this.userOf(key);
    if (verified === null) throw new UnauthenticatedError();
    return verified;
  }

  /** @throws UnauthenticatedError */
  async sandbox(headers: IncomingHttpHeaders): Promise<SandboxCaller> {
    const key = sessionKey(headers);
    const verified = key === null ? null : await this.sandboxOf(key);
    if (verified === null) throw new UnauthenticatedError('X-Session-API-Key');
    return verified;
  }

  /**
   * A user by any of their credentials, or a sandbox by its own key in `X-Session-API-Key`.
   * @throws UnauthenticatedError
   */
  async userOrSandbox(headers: IncomingHttpHeaders): Promise<KeyHolder> {
    const key = presentedKey(headers);
    const user = key === null ? null : await this.userOf(key);
    if (user !== null) return { user };
    const sandbox = key === null || key !== sessionKey(headers) ? null : await this.sandboxOf(key);
    if (sandbox === null) throw new UnauthenticatedError();
    return { sandbox };
  }

  private userOf(key: string): Promise<VerifiedKey | null> {
    return this.caches.users.get(digestOf(key), () => this.keys.verify(key));
  }

  private sandboxOf(key: string): Promise<SandboxCaller | null> {
    return this.caches.sandboxes.get(digestOf(key), () => this.sessionKeys.verify(key));
  }
}
