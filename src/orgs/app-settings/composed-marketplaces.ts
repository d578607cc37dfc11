import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config';
import { readOrg, readUser } from './app-settings.service';
import { compose, type ScopedRegistration } from './registrations';

/**
 * What the start of a conversation takes over from the settings around it
 * (docs/contract.md#composition-of-marketplaces).
 */
export interface ConversationDefaults {
  /** By name; the scope is to be stripped before an agent server sees them. */
  readonly marketplaces: ScopedRegistration[];
  readonly maxBudgetPerTask: number | null;
}

/** Puts together the registrations of instance, organization and person for a conversation. */
@Injectable()
export class ComposedMarketplaces {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What a conversation of this user in this organization starts with. */
  async forConversation(orgId: string, userId: string): Promise<ConversationDefaults> {
    const org = await readOrg(this.database.manager, orgId);
    const user = await readUser(this.database.manager, userId);
    return {
      marketplaces: compose(
        this.settings.INSTANCE_MARKETPLACES,
        org.registered_marketplaces,
        user.registered_marketplaces,
      ),
      maxBudgetPerTask: org.max_budget_per_task,
    };
  }
}
