import { Inject, Injectable } from '@nestjs/common';
import type { Person } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { compose, type ScopedRegistration } from './registrations';
import { StoredSettings } from './stored-settings';

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
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What a conversation of this user in this organization starts with. */
  async forConversation(person: Person): Promise<ConversationDefaults> {
    const org = await this.stored.ofOrg(person.orgId);
    const user = await this.stored.ofUser(person);
    return {
      marketplaces: compose(
        this.settings.INSTANCE_MARKETPLACES,
        org.registeredMarketplaces,
        user.registeredMarketplaces,
      ),
      maxBudgetPerTask: org.maxBudgetPerTask,
    };
  }
}
