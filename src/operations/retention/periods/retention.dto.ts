import { MOST_RETENTION_DAYS } from '../../../kernel/config';
import {
  boolean,
  dateTime,
  Field,
  ForbidExtraKeys,
  integer,
  list,
  model,
  number,
  oneOf,
} from '../../../kernel/validation';
import { RETENTION_KINDS, type RetentionKind } from '../kinds/retention-kinds';

const days = () => integer({ ge: 1, le: MOST_RETENTION_DAYS });

/** Body of `PUT /api/organizations/{org_id}/retention`: what is left out is as the installation has it. */
@ForbidExtraKeys()
export class RetentionUpdate {
  @Field(days(), {
    nullable: true,
    description: 'Days without activity after which the events of a conversation go.',
    example: 180,
  })
  events_days: number | null = null;

  @Field(days(), {
    nullable: true,
    description: 'Days without activity after which conversations go, with all that is theirs.',
    example: 365,
  })
  conversations_days: number | null = null;

  @Field(days(), {
    nullable: true,
    description: 'Days after which queued messages go that were delivered or failed.',
    example: 7,
  })
  messages_days: number | null = null;

  @Field(days(), {
    nullable: true,
    description: 'Days after which deliveries to webhooks go that were made or failed.',
    example: 30,
  })
  deliveries_days: number | null = null;

  @Field(days(), {
    nullable: true,
    description: 'Days without use after which what a paused sandbox keeps is deleted.',
    example: 90,
  })
  archives_days: number | null = null;
}

/** Query of `PUT /api/organizations/{org_id}/retention`. */
export class RetentionUpdateQuery {
  @Field(boolean(), {
    description: 'Whether only to say what would go, and to set nothing.',
    example: true,
  })
  dry_run = false;
}

/** For how many days the installation keeps what. */
export class RetentionDefaults {
  @Field(integer(), { nullable: true, description: 'Of events; null for ever.', example: null })
  events_days!: number | null;

  @Field(integer(), { nullable: true, description: 'Of conversations; null for ever.', example: null })
  conversations_days!: number | null;

  @Field(integer(), { nullable: true, description: 'Of queued messages.', example: 7 })
  messages_days!: number | null;

  @Field(integer(), { nullable: true, description: 'Of deliveries to webhooks.', example: 7 })
  deliveries_days!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Of what paused sandboxes keep; null for ever.',
    example: null,
  })
  archives_days!: number | null;
}

/** What would go of one kind. */
export class RetentionPreview {
  @Field(oneOf(RETENTION_KINDS), { description: 'What.', example: 'conversations' })
  what!: RetentionKind;

  @Field(integer(), { nullable: true, description: 'After how many days; null for never.', example: 365 })
  days!: number | null;

  @Field(integer(), { description: 'How many would go now.', example: 12 })
  items!: number;

  @Field(number(), {
    nullable: true,
    description: 'Of how many bytes; null where that is not known.',
    example: 4_200_000,
  })
  bytes!: number | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When the one was last active that has not been for longest; null without any.',
    example: '2025-07-02T08:00:00.000Z',
  })
  oldest_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'When the last of them was last active; null without any.',
    example: '2025-11-20T17:45:00.000Z',
  })
  newest_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description:
      'Before this time nothing of it goes, since it is announced a week before; null for what is not announced.',
    example: '2026-11-28T09:30:00.000Z',
  })
  not_before!: string | null;

  @Field(boolean(), {
    description: 'Whether all were counted; false where there are so many that counting was given up.',
    example: true,
  })
  is_complete!: boolean;
}

/** For how many days an organization keeps what. */
export class RetentionResponse {
  @Field(integer(), {
    nullable: true,
    description: 'Of events; null for as many as the installation.',
    example: 180,
  })
  events_days!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Of conversations; null for as many as the installation.',
    example: 365,
  })
  conversations_days!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Of queued messages; null for as many as the installation.',
    example: 7,
  })
  messages_days!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Of deliveries to webhooks; null for as many as the installation.',
    example: 30,
  })
  deliveries_days!: number | null;

  @Field(integer(), {
    nullable: true,
    description: 'Of what paused sandboxes keep; null for as many as the installation.',
    example: 90,
  })
  archives_days!: number | null;

  @Field(model(() => RetentionDefaults), { description: 'What the installation has.' })
  defaults!: RetentionDefaults;

  @Field(dateTime(), {
    nullable: true,
    description: 'When this was set; null where the organization has set nothing.',
    example: '2026-11-21T09:30:00.000Z',
  })
  updated_at!: string | null;

  @Field(list(model(() => RetentionPreview)), {
    nullable: true,
    description: 'With `dry_run`, what would go with what was sent, of each kind; else null.',
  })
  would_remove!: RetentionPreview[] | null;
}
