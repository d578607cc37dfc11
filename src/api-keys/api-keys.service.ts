import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  AuthCaches,
  type Caller,
  KeyBoundElsewhereError,
  NotAMemberError,
  type OrgContext,
  UnauthenticatedError,
} from '../auth';
import { Clock, serialId, storableText } from '../common';
import { MembershipService } from '../orgs';
import type {
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyResponse,
  ApiKeyRevoked,
  CurrentApiKey,
} from './api-keys.dto';
import {
  KeyExpiryInvalidError,
  KeyNotFoundError,
  KeyOutlivesMakerError,
  TooManyKeysError,
} from './api-keys.errors';
import { KeyIssuer } from './keys/key-issuer';

/** Most keys of one user. */
const MAX_KEYS = 1000;

interface KeyRow {
  readonly id: number;
  readonly name: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly not_before: Date | null;
  readonly expires_at: Date | null;
  readonly org_id: string | null;
}

/** Users' own keys (docs/contract.md#api-keys). */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly issuer: KeyIssuer,
    private readonly members: MembershipService,
    private readonly caches: AuthCaches,
    private readonly clock: Clock,
  ) {}

  /** The caller's keys, oldest first; with a bound key those of its organization. */
  async list(caller: Caller): Promise<ApiKeyResponse[]> {
    const rows = await this.database.query<KeyRow[]>(
      `SELECT id, name, created_at, last_used_at, not_before, expires_at, org_id FROM api_keys
        WHERE user_id = $1 AND ($2::uuid IS NULL OR org_id = $2) ORDER BY id`,
      [caller.userId, caller.boundOrgId],
    );
    return rows.map(toResponse);
  }

  /**
   * Makes a key for the caller.
   * @throws KeyExpiryInvalidError, KeyOutlivesMakerError, KeyBoundElsewhereError, NotAMemberError,
   *   TooManyKeysError
   */
  async create(caller: Caller, org: OrgContext, request: ApiKeyCreate): Promise<ApiKeyCreated> {
    const { not_before, expires_at } = request;
    if (expires_at && (expires_at <= this.clock.now() || (not_before && not_before >= expires_at)))
      throw new KeyExpiryInvalidError();
    if (outlives(expires_at, caller.keyExpiresAt)) throw new KeyOutlivesMakerError();
    const orgId = request.org_id === undefined ? org.orgId : request.org_id;
    await this.checkBinding(caller, orgId);
    const name = request.name === null ? null : storableText(request.name);
    const issued = await this.database.transaction(async (transaction) => {
      await this.checkCount(transaction, caller.userId);
      return this.issuer.issue(transaction, {
        userId: caller.userId,
        orgId,
        name,
        notBefore: not_before,
        expiresAt: expires_at,
      });
    });
    this.caches.clear();
    const row = { name, not_before, expires_at, org_id: orgId, last_used_at: null };
    return { ...toResponse({ ...row, id: issued.id, created_at: issued.createdAt }), key: issued.key };
  }

  /**
   * Revokes a key of the caller; the next request with it is 401.
   * @throws KeyNotFoundError
   */
  async revoke(caller: Caller, keyText: string): Promise<ApiKeyRevoked> {
    const keyId = serialId(keyText);
    if (keyId === null) throw new KeyNotFoundError();
    const [revoked] = await this.database.query<[unknown[], number]>(
      `DELETE FROM api_keys
        WHERE id = $1 AND user_id = $2 AND ($3::uuid IS NULL OR org_id = $3) RETURNING id`,
      [keyId, caller.userId, caller.boundOrgId],
    );
    if (revoked.length === 0) throw new KeyNotFoundError();
    this.caches.clear();
    return { message: 'The key was revoked.' };
  }

  /**
   * The key of this very request.
   * @throws UnauthenticatedError when it was revoked a moment ago
   */
  async current(caller: Caller, org: OrgContext): Promise<CurrentApiKey> {
    const [row] = await this.database.query<{ name: string | null }[]>(
      'SELECT name FROM api_keys WHERE id = $1',
      [caller.keyId],
    );
    if (!row) throw new UnauthenticatedError();
    return {
      id: caller.keyId,
      name: row.name,
      org_id: org.orgId,
      bound_org_id: caller.boundOrgId,
      user_id: caller.userId,
      auth_type: 'api_key',
    };
  }

  private async checkBinding(caller: Caller, orgId: string | null): Promise<void> {
    if (caller.boundOrgId !== null && orgId !== caller.boundOrgId) throw new KeyBoundElsewhereError();
    if (orgId !== null && (await this.members.roleOf(caller.userId, orgId)) === null)
      throw new NotAMemberError();
  }

  /** Counted under a lock of the user, so that concurrent calls share the limit. */
  private async checkCount(transaction: EntityManager, userId: string): Promise<void> {
    await transaction.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    const [{ count }] = await transaction.query<[{ count: number }]>(
      'SELECT count(*)::int AS count FROM api_keys WHERE user_id = $1',
      [userId],
    );
    if (count >= MAX_KEYS) throw new TooManyKeysError(MAX_KEYS);
  }
}

function outlives(expiry: Date | null, makerExpiry: Date | null): boolean {
  return makerExpiry !== null && (expiry === null || expiry > makerExpiry);
}

function toResponse(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    not_before: row.not_before?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    org_id: row.org_id,
  };
}
