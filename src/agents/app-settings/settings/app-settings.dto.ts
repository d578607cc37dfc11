import { OWN_ORGANIZATION } from '../../../accounts/orgs';
import { MarketplaceRegistration } from '../../skills';
import { boolean, dateTime, Field, list, model, number, uuid } from '../../../kernel/validation';

/** Most registrations of an organization or a user. */
const MAX_REGISTRATIONS = 200;

/** `org_id` of the query of `/api/organizations/app` (docs/contract.md#app-settings). */
export class OrgAppQuery {
  @Field(uuid(), {
    nullable: true,
    description: 'The organization; must be the effective one.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    exampleFrom: OWN_ORGANIZATION,
  })
  org_id: string | null = null;
}

/** App settings of an organization (docs/contract.md#app-settings). */
export class OrgAppSettings {
  @Field(boolean(), { description: 'Whether conversation starters are offered.', example: true })
  enable_proactive_conversation_starters!: boolean;

  @Field(number(), { nullable: true, description: 'Budget of a task in US dollars.', example: 2.5 })
  max_budget_per_task!: number | null;

  @Field(list(model(() => MarketplaceRegistration)), {
    description: "The organization's own registrations, each with scope `org`.",
  })
  registered_marketplaces!: MarketplaceRegistration[];

  @Field(dateTime(), {
    nullable: true,
    description: 'Version of these settings; null until they are first saved.',
    example: '2026-11-21T09:30:00.000Z',
  })
  updated_at!: string | null;
}

/** Declares the version of the settings that a caller has read. */
const LastKnownVersion = () =>
  Field(dateTime(), {
    optional: true,
    nullable: true,
    description: 'The `updated_at` that was read; a newer one is a 409. Null or absent: no check.',
    example: '2026-11-21T09:30:00.000Z',
  });

/**
 * Changes to the app settings; absent fields stay as they are (docs/contract.md#app-settings).
 */
export class OrgAppSettingsUpdate {
  @Field(boolean(), {
    optional: true,
    nullable: true,
    description: 'Whether conversation starters are offered.',
  })
  enable_proactive_conversation_starters?: boolean | null;

  @Field(number({ gt: 0 }), {
    optional: true,
    nullable: true,
    description: 'Budget of a task in US dollars; null for none.',
    example: 2.5,
  })
  max_budget_per_task?: number | null;

  @Field(
    list(
      model(() => MarketplaceRegistration),
      { max: MAX_REGISTRATIONS },
    ),
    {
      optional: true,
      nullable: true,
      description: 'All registrations of the organization; null and an empty list remove them.',
    },
  )
  registered_marketplaces?: MarketplaceRegistration[] | null;

  @LastKnownVersion()
  last_known_updated_at?: Date | null;
}

/** App settings of a user (docs/contract.md#app-settings). */
export class UserAppSettings {
  @Field(list(model(() => MarketplaceRegistration)), {
    description: "The user's own registrations, each with scope `personal`.",
  })
  registered_marketplaces!: MarketplaceRegistration[];

  @Field(dateTime(), {
    nullable: true,
    description: 'Version of these settings; null until they are first saved.',
    example: '2026-11-21T09:30:00.000Z',
  })
  updated_at!: string | null;
}

/** Changes to a user's app settings. */
export class UserAppSettingsUpdate {
  @Field(
    list(
      model(() => MarketplaceRegistration),
      { max: MAX_REGISTRATIONS },
    ),
    {
      optional: true,
      nullable: true,
      description: 'All registrations of the user; null and an empty list remove them.',
    },
  )
  registered_marketplaces?: MarketplaceRegistration[] | null;

  @LastKnownVersion()
  last_known_updated_at?: Date | null;
}
