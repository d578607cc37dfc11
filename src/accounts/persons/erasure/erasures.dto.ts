import {
  boolean,
  dateTime,
  dictionary,
  Field,
  integer,
  oneOf,
  string,
  uuid,
} from '../../../kernel/validation';

const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const TIME = '2026-11-29T09:30:00.000Z';
const SHOWN_STATES = ['none', 'preview', 'waiting', 'working', 'done'] as const;

/** Query of operations that erase. */
export class ErasureQuery {
  @Field(boolean(), {
    description: 'Only says what would be erased, and what stands in the way.',
    example: true,
  })
  dry_run = false;

  @Field(oneOf(['now', 'lifted']), {
    description: '`lifted`: under a legal hold it begins once that is lifted; `now`: it is refused then.',
    example: 'now',
  })
  when: 'now' | 'lifted' = 'now';
}

/** Body of `POST /api/users/me/erasure`. */
export class OwnErasureRequest {
  @Field(string(), {
    description: 'Your e-mail address: this cannot be taken back.',
    example: 'robin@example.com',
  })
  confirmation!: string;
}

/** An erasure, or what one would do. */
export class ErasureResponse {
  @Field(oneOf(SHOWN_STATES), {
    description: '`none` where none was asked for, `preview` of a dry run, `waiting` for legal holds.',
    example: 'working',
  })
  state!: (typeof SHOWN_STATES)[number];

  @Field(uuid(), { description: 'Who is erased.', example: USER })
  user_id!: string;

  @Field(uuid(), {
    nullable: true,
    description: 'The organization in which they are erased; null for all of their organizations.',
    example: null,
  })
  org_id!: string | null;

  @Field(boolean(), {
    description: 'Whether their account goes as well.',
    example: true,
  })
  of_account!: boolean;

  @Field(oneOf(['legal_hold', 'last_owner']), {
    nullable: true,
    description: 'Of a dry run: what stands in the way; null for nothing.',
    example: null,
  })
  obstacle!: 'legal_hold' | 'last_owner' | null;

  @Field(dictionary(integer()), {
    description: 'How many there were of each kind when it was asked for.',
    example: { conversations: 12, events: 340, messages: 25, sandboxes: 1, api_keys: 2 },
  })
  counts!: Record<string, number>;

  @Field(dateTime(), { nullable: true, description: 'When it was asked for; null for never.', example: TIME })
  asked_at!: string | null;

  @Field(dateTime(), { nullable: true, description: 'When it was done; null before.', example: null })
  finished_at!: string | null;
}
