import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { parseUuid } from '../common';
import { SETTINGS, type Settings } from '../config';

/** Which organization the external agent server serves (decisions 14). */
@Injectable()
export class ExternalOrganization {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @InjectDataSource() private readonly database: DataSource,
  ) {}

  async serves(orgId: string): Promise<boolean> {
    const served = await this.served();
    return served === '*' || served === orgId;
  }

  /** Its id; `*` for all, null when there is none yet. The bootstrap makes the first one there is. */
  async served(): Promise<string | null> {
    const { EXTERNAL_ORG_ID } = this.settings;
    if (EXTERNAL_ORG_ID === '*') return '*';
    if (EXTERNAL_ORG_ID !== undefined) return parseUuid(EXTERNAL_ORG_ID);
    const [first] = await this.database.query<{ id: string }[]>(
      'SELECT id FROM organizations ORDER BY created_at, id LIMIT 1',
    );
    return first?.id ?? null;
  }
}
