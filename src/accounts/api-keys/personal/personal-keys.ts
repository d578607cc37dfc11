import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type Counts,
  type ErasureRun,
  type ExportedRecords,
  fewLines,
  ownedWhere,
  PersonalData,
  type PersonalPart,
  type PersonalScope,
} from '../../personal-data';
import { BrowserSession } from '../browser-sessions/browser-session.entity';
import { ApiKey } from '../keys/api-key.entity';
import { EndedKey } from '../known-keys/ended-key.entity';
import { KeyIssuer } from '../keys/key-issuer';

/** A person's keys and the sessions that began with them, as far as they are exported and erased: never what they are. */
@Injectable()
export class PersonalKeys implements PersonalPart {
  readonly name = 'api_keys';

  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    @InjectRepository(BrowserSession) private readonly sessions: Repository<BrowserSession>,
    private readonly issuer: KeyIssuer,
    personal: PersonalData,
  ) {
    personal.register(this);
  }

  exports(scope: PersonalScope): readonly ExportedRecords[] {
    const where = ownedWhere(scope);
    return [
      {
        name: this.name,
        lines: () => fewLines(() => this.keys.find({ where, order: { id: 'ASC' } }), shownKey),
      },
      {
        name: 'sessions',
        lines: () =>
          fewLines(
            () => this.sessions.find({ where: { apiKey: where }, order: { id: 'ASC' } }),
            shownSession,
          ),
      },
    ];
  }

  async count(scope: PersonalScope): Promise<Counts> {
    const where = ownedWhere(scope);
    return {
      api_keys: await this.keys.count({ where }),
      sessions: await this.sessions.count({ where: { apiKey: where } }),
    };
  }

  async erase(scope: PersonalScope, run: ErasureRun): Promise<void> {
    await this.keys.manager.transaction(async (transaction) => {
      await this.issuer.revoke(transaction, ownedWhere(scope));
      // Those that have ended, with these: whose they were is known by their digests.
      for (const where of ownedWhere(scope)) await transaction.getRepository(EndedKey).delete(where);
    });
    await run.done(this.name);
  }
}

function shownKey({
  id,
  orgId,
  name,
  prefix,
  createdAt,
  lastUsedAt,
  expiresAt,
  scopes,
  addressRanges,
}: ApiKey) {
  return {
    id,
    org_id: orgId,
    name,
    prefix,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    expires_at: expiresAt,
    scopes,
    address_ranges: addressRanges,
  };
}

function shownSession({ id, apiKeyId, userAgent, createdAt, lastUsedAt }: BrowserSession) {
  return { id, api_key_id: apiKeyId, user_agent: userAgent, created_at: createdAt, last_used_at: lastUsedAt };
}
