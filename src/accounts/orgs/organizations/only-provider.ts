import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { OrgCredentialRules } from '../record/org-credential-rules.entity';

/** The provider of identities by which alone an organization lets people in. Callers clear `AuthCaches` after their transaction. */
@Injectable()
export class OnlyProvider {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Its id; null where everything lets people in. */
  async of(orgId: string, transaction: EntityManager = this.database.manager): Promise<string | null> {
    const rules = await transaction.getRepository(OrgCredentialRules).findOneBy({ orgId });
    return rules?.onlyProviderId ?? null;
  }

  /** @param providerId null to let people in by everything again */
  async set(transaction: EntityManager, orgId: string, providerId: string | null): Promise<void> {
    await transaction
      .getRepository(OrgCredentialRules)
      .upsert({ orgId, onlyProviderId: providerId, updatedAt: () => 'now()' }, ['orgId']);
  }
}
