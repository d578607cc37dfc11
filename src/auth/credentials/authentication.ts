import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../../common';
import { AuthCaches } from './auth-caches';
import { UnauthenticatedError } from '../identity/auth.errors';
import { presentedKey, sessionKey } from './credentials';
import { CredentialVerifier, SandboxCredentialVerifier, type VerifiedKey } from '../identity/ports';
import type { SandboxCaller } from '../identity/principal';

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
    const verified =
      key === null ? null : await this.caches.users.get(digestOf(key), () => this.keys.verify(key));
    if (verified === null) throw new UnauthenticatedError();
    return verified;
  }

  /** @throws UnauthenticatedError */
  async sandbox(headers: IncomingHttpHeaders): Promise<SandboxCaller> {
    const key = sessionKey(headers);
    const verified =
      key === null
        ? null
        : await this.caches.sandboxes.get(digestOf(key), () => this.sessionKeys.verify(key));
    if (verified === null) throw new UnauthenticatedError('X-Session-API-Key');
    return verified;
  }
}
