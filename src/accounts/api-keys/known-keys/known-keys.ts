import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, LessThan, Repository } from 'typeorm';
import { type KnownCredential, KnownCredentials } from '../../../kernel/audit';
import { Clock } from '../../../kernel/common';
import { JobHandlers } from '../../../kernel/jobs';
import { EndedKey } from './ended-key.entity';
import { isKeyPrefix } from '../keys/key-format';
import { KNOWN_KEYS } from './known-keys.read-model';

const CLEAN_UP_SECONDS = 3_600;

/** How long it is known whose a key was. */
const KEPT_MS = 90 * 86_400_000;

/** Knows whose keys and sessions are, or were, that do not count for a request. */
@Injectable()
export class KnownKeys extends KnownCredentials {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @InjectRepository(EndedKey) private readonly ended: Repository<EndedKey>,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    super();
    handlers.every('ended-keys-clean-up', CLEAN_UP_SECONDS, () => this.deleteOld());
  }

  override async among(digests: readonly string[]): Promise<KnownCredential[]> {
    const rows = await KNOWN_KEYS.rows(this.database, [digests]);
    return rows.map(({ digest, is_session, prefix, user_id, kind, org_id, current_org_id }) => ({
      digest,
      actor: {
        kind: kind === 'person' ? 'user' : 'service_account',
        user_id,
        key_prefix: prefix !== null && isKeyPrefix(prefix) ? prefix : null,
        session: is_session,
      },
      orgId: org_id,
      currentOrgId: current_org_id,
    }));
  }

  private async deleteOld(): Promise<void> {
    await this.ended.delete({ endedAt: LessThan(new Date(this.clock.now().getTime() - KEPT_MS)) });
  }
}
