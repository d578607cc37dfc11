import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CredentialVerifier, type VerifiedKey } from '../../../kernel/auth';
import { Clock, digestOf } from '../../../kernel/common';
import { ExternalKeys } from './external-keys';
import { isWellFormedKey } from './key-format';
import { type KeyUserRow, selectKeyUser, selectKeyUsers } from './key-user.read-model';
import { KeyUsage } from './key-usage';

/** Finds the user of a key by its digest (docs/contract.md#key-format). */
@Injectable()
export class KeyVerifier extends CredentialVerifier {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly usage: KeyUsage,
    private readonly external: ExternalKeys,
  ) {
    super();
  }

  override async verify(key: string): Promise<VerifiedKey | null> {
    const row = isWellFormedKey(key)
      ? await selectKeyUser(this.database, digestOf(key))
      : await this.external.find(key);
    return row === null ? null : this.userOf(row);
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
      keyExpiresAt: row.expires_at,
      boundOrgId: row.confined_to_org_id ?? row.org_id,
      letInBy: row.let_in_by_user_id,
      currentOrgId: row.current_org_id,
    };
  }

  override async working(keyIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await selectKeyUsers(this.database, keyIds);
    return new Set(rows.filter((row) => this.works(row)).map(({ id }) => id));
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

/** A key bound to one organization, of a user confined to another: it works in neither. */
function isBoundTwice({ org_id, confined_to_org_id }: KeyUserRow): boolean {
  return org_id !== null && confined_to_org_id !== null && org_id !== confined_to_org_id;
}
