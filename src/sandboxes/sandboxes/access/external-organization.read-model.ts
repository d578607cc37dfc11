import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { parseUuid } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';

/**
 * Which organization a driver that serves one organization serves (docs/contract.md#sandbox-drivers). Reads
 * `organizations`, named by hand because its entity belongs to another module.
 */
@Injectable()
export class ExternalOrganization {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
  ) {}

  /** @param transaction the one in which a sandbox is made */
  async serves(transaction: EntityManager, orgId: string): Promise<boolean> {
    const served = await this.served(transaction);
    return served === '*' || served === orgId;
  }

  /** Its id; `*` for all, null when there is none yet. The bootstrap makes the first one there is. */
  async served(manager: EntityManager = this.database.manager): Promise<string | null> {
    const { EXTERNAL_ORG_ID } = this.settings;
    if (EXTERNAL_ORG_ID === '*') return '*';
    if (EXTERNAL_ORG_ID !== undefined) return parseUuid(EXTERNAL_ORG_ID);
    const first = await manager
      .createQueryBuilder()
      .select('o.id', 'id')
      .from('organizations', 'o')
      .orderBy('o.created_at')
      .addOrderBy('o.id')
      .limit(1)
      .getRawOne<{ id: string }>();
    return first?.id ?? null;
  }
}
