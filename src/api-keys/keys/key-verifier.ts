import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CredentialVerifier, type VerifiedKey } from '../../auth';
import { Clock, digestOf } from '../../common';
import { isWellFormedKey } from './key-format';
import { KeyUsage } from './key-usage';

interface KeyRow {
  readonly id: number;
  readonly user_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly org_id: string | null;
  readonly confined_to_org_id: string | null;
  readonly current_org_id: string | null;
  readonly not_before: Date | null;
  readonly expires_at: Date | null;
}

/** Finds the user of a key by its digest (docs/contract.md#key-format). */
@Injectable()
export class KeyVerifier extends CredentialVerifier {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly clock: Clock,
    private readonly usage: KeyUsage,
  ) {
    super();
  }

  override async verify(key: string): Promise<VerifiedKey | null> {
    if (!isWellFormedKey(key)) return null;
    const [row] = await this.database.query<KeyRow[]>(
      `SELECT k.id, k.user_id, u.email, u.name, k.org_id, u.confined_to_org_id, u.current_org_id,
              k.not_before, k.expires_at
         FROM api_keys k JOIN users u ON u.id = k.user_id
        WHERE k.digest = $1 AND u.disabled_at IS NULL`,
      [digestOf(key)],
    );
    if (!row || !this.isCurrent(row) || isBoundTwice(row)) return null;
    this.usage.note(row.id);
    return {
      userId: row.user_id,
      email: row.email,
      name: row.name,
      keyId: row.id,
      keyExpiresAt: row.expires_at,
      boundOrgId: row.confined_to_org_id ?? row.org_id,
      currentOrgId: row.current_org_id,
    };
  }

  private isCurrent({ not_before, expires_at }: KeyRow): boolean {
    const now = this.clock.now();
    return (not_before === null || not_before <= now) && (expires_at === null || expires_at > now);
  }
}

/** A key of one organization, of somebody who is confined to another: it works in neither. */
function isBoundTwice({ org_id, confined_to_org_id }: KeyRow): boolean {
  return org_id !== null && confined_to_org_id !== null && org_id !== confined_to_org_id;
}
