import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  CredentialVerifier,
  AddressRanges,
  PermissionTable,
  type RequestHeaders,
  type RuledCredential,
  type VerifiedKey,
} from '../../../kernel/auth';
import { Clock, digestOf } from '../../../kernel/common';
import { ExternalKeys } from './external-keys';
import { isKeyPrefix, isWellFormedKey } from './key-format';
import { type KeyUserRow, selectKeyUser, selectKeyUsers } from './key-user.read-model';
import { writeLastUse } from './key-usage.query';

const WRITE_EVERY_MS = 60_000;
const WRITE_DELAY_MS = 1_000;

/**
 * Writes `last_used_at`, at most once a minute per key, all replicas together, and never on a request's path
 * (docs/contract.md#key-format).
 */
@Injectable()
export class KeyUsage implements OnModuleDestroy {
  private readonly logger = new Logger(KeyUsage.name);
  private readonly written = new Map<number, number>();
  private readonly pending = new Map<number, Date>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Records that a key was used now. */
  note(keyId: number): void {
    const now = this.clock.monotonicMs();
    const last = this.written.get(keyId);
    if (last !== undefined && now - last < WRITE_EVERY_MS) return;
    this.written.set(keyId, now);
    this.pending.set(keyId, this.clock.now());
    this.timer ??= setTimeout(() => void this.flush(), WRITE_DELAY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  /** Writes the collected times. A failure loses one time per key, so it is only logged. */
  async flush(): Promise<void> {
    this.timer = null;
    if (this.pending.size === 0) return;
    const lastUses = new Map(this.pending);
    this.pending.clear();
    this.forgetOld();
    try {
      await writeLastUse(this.database, lastUses, WRITE_EVERY_MS);
    } catch (error) {
      this.logger.warn({ err: error }, 'The last use of keys could not be written');
    }
  }

  private forgetOld(): void {
    const now = this.clock.monotonicMs();
    for (const [id, at] of this.written) if (now - at >= WRITE_EVERY_MS) this.written.delete(id);
  }
}

/** Finds the user of a key by its digest (docs/contract.md#key-format). */
@Injectable()
export class KeyVerifier extends CredentialVerifier {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly usage: KeyUsage,
    private readonly external: ExternalKeys,
    private readonly permissions: PermissionTable,
  ) {
    super();
  }

  override async verify(key: string, headers: RequestHeaders): Promise<VerifiedKey | null> {
    if (!isWellFormedKey(key)) return this.verifyExternal(key, headers);
    const row = await selectKeyUser(this.database, digestOf(key));
    return row === null ? null : this.userOf(row);
  }

  /** One that does not work changes nothing. */
  private async verifyExternal(credential: string, headers: RequestHeaders): Promise<VerifiedKey | null> {
    const found = await this.external.find(credential, headers);
    const user = found === null ? null : this.userOf(found.row);
    return found !== null && user !== null && (await this.external.settle(found)) ? user : null;
  }

  override decisive(key: string, headers: RequestHeaders): string {
    const decisive = this.external.decisive(headers);
    return decisive === '' || isWellFormedKey(key) ? '' : decisive;
  }

  /** The user of a key that was found in the database, or null if the key does not work now; records the use. */
  userOf(row: KeyUserRow): VerifiedKey | null {
    if (!this.works(row)) return null;
    this.usage.note(row.id);
    return {
      userId: row.user_id,
      email: row.email,
      name: row.name,
      keyId: row.id,
      ...(isKeyPrefix(row.prefix) && { keyPrefix: row.prefix }),
      keyName: row.key_name,
      keyExpiresAt: row.expires_at,
      boundOrgId: row.confined_to_org_id ?? row.org_id,
      letInBy: row.let_in_by_user_id,
      scopes: row.scopes === null ? null : new Set(this.permissions.known(row.scopes)),
      addresses: row.address_ranges === null ? null : new AddressRanges(row.address_ranges),
      currentOrgId: row.current_org_id,
      ...ruledCredential(row),
    };
  }

  override async working(keyIds: readonly number[]): Promise<ReadonlyMap<number, RuledCredential>> {
    const rows = await selectKeyUsers(this.database, keyIds);
    return new Map(rows.filter((row) => this.works(row)).map((row) => [row.id, ruledCredential(row)]));
  }

  override async holderOf(keyId: number): Promise<VerifiedKey | null> {
    const [row] = await selectKeyUsers(this.database, [keyId]);
    return row === undefined ? null : this.userOf(row);
  }

  private works(row: KeyUserRow): boolean {
    return this.isCurrent(row) && !isBoundTwice(row);
  }

  private isCurrent({ not_before, expires_at }: KeyUserRow): boolean {
    const now = this.clock.now();
    return (not_before === null || not_before <= now) && (expires_at === null || expires_at > now);
  }
}

/** What the rules of organizations are about: not what stands for a sign-in, and not the keys of other services. */
function ruledCredential(row: KeyUserRow): RuledCredential {
  const { prefix, is_of_service, created_at: madeAt, expires_at, scopes, made_by_user_id: madeBy } = row;
  const isOwn = !is_of_service && isKeyPrefix(prefix);
  return {
    ownKey: isOwn ? { madeAt, ends: expires_at !== null, hasScopes: scopes !== null } : null,
    identityProviderId: row.identity_provider_id,
    ...(madeBy !== null && { madeBy }),
  };
}

/** A key bound to one organization, of a user confined to another: it works in neither. */
function isBoundTwice({ org_id, confined_to_org_id }: KeyUserRow): boolean {
  return org_id !== null && confined_to_org_id !== null && org_id !== confined_to_org_id;
}
