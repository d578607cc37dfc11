import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuthCaches } from '../../../kernel/auth';
import { digestOf } from '../../../kernel/common';
import { DomainEvents } from '../../../kernel/domain-events';
import { ApiKey } from '../keys/api-key.entity';
import { isWellFormedKey } from '../keys/key-format';
import { KeyIssuer } from '../keys/key-issuer';
import { ReportedKeyMails } from './reported-key-mails';

/** Revokes keys that somebody found, by the keys themselves (docs/contract.md#reporting-a-key). */
@Injectable()
export class KeyReports {
  private readonly logger = new Logger(KeyReports.name);

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly issuer: KeyIssuer,
    private readonly mails: ReportedKeyMails,
    private readonly events: DomainEvents,
    private readonly caches: AuthCaches,
  ) {}

  /** Revokes a key, and tells its user; does nothing for what is no key, or none any more. */
  async report(text: string): Promise<void> {
    const key = text.trim();
    // What stands for a sign-in does not have the form of a key.
    if (!isWellFormedKey(key)) return;
    const digest = digestOf(key);
    const found = await this.keys.manager.transaction(async (transaction) => {
      const row = await transaction.withRepository(this.keys).findOneBy({ digest });
      // Of two reports at once, one revokes it.
      if (row === null || !(await this.issuer.revoke(transaction, { id: row.id }))) return null;
      const { id, userId, orgId } = row;
      const event = { kind: 'api_key.reported', org_id: orgId, user_id: userId, api_key_id: id } as const;
      await this.events.publish(transaction, event);
      await this.mails.queue(transaction, row);
      return row;
    });
    if (found === null) return;
    this.caches.clear();
    const { id: keyId, userId: user, orgId: organization } = found;
    this.logger.warn({ keyId, user, organization }, 'Somebody found a key and reported it: it is revoked');
  }
}
