import { dateTime, Field, integer, literal, string, uuid } from '../../kernel/validation';

/** Body of `POST /api/keys`. */
export class ApiKeyCreate {
  @Field(string(), { nullable: true, description: 'What the key is for.', example: 'Nightly build' })
  name: string | null = null;

  @Field(dateTime(), {
    nullable: true,
    description: 'From when on the key stops working; null for never.',
    example: '2030-01-01T00:00:00Z',
  })
  expires_at: Date | null = null;

  @Field(dateTime(), {
    nullable: true,
    description: 'From when on the key works; null for at once.',
    example: '2026-12-01T00:00:00Z',
  })
  not_before: Date | null = null;

  @Field(uuid(), {
    nullable: true,
    optional: true,
    description:
      'The organization the key is bound to. Omitted: the effective one. Null: a key that works in every organization of yours.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id?: string | null;
}

/** A key without its text. */
export class ApiKeyResponse {
  @Field(integer(), { description: 'Id of the key.', example: 12 })
  id!: number;

  @Field(string(), { nullable: true, description: 'What the key is for.', example: 'Nightly build' })
  name!: string | null;

  @Field(dateTime(), { description: 'When it was made.', example: '2026-11-21T09:30:00.000Z' })
  created_at!: string;

  @Field(dateTime(), {
    nullable: true,
    description: 'To the minute; null until the key was used.',
    example: '2026-11-22T07:00:00.000Z',
  })
  last_used_at!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'From when on the key works; null for at once.',
    example: null,
  })
  not_before!: string | null;

  @Field(dateTime(), {
    nullable: true,
    description: 'From when on the key stops working; null for never.',
    example: '2030-01-01T00:00:00.000Z',
  })
  expires_at!: string | null;

  @Field(uuid(), {
    nullable: true,
    description: 'The only organization the key works in, or null.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id!: string | null;
}

/** A key just issued, with its text. */
export class ApiKeyCreated extends ApiKeyResponse {
  @Field(string(), {
    nullable: true,
    description: 'The key. Shown this once: only its digest is kept, and a replay has null here.',
    example: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx',
  })
  key!: string | null;
}

/** The key of the request, and what it gives access to. */
export class CurrentApiKey {
  @Field(integer(), { description: 'Id of the key.', example: 12 })
  id!: number;

  @Field(string(), { nullable: true, description: 'What the key is for.', example: 'Nightly build' })
  name!: string | null;

  @Field(uuid(), {
    description: 'The organization that requests with this key act in.',
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  })
  org_id!: string;

  @Field(uuid(), {
    nullable: true,
    description: 'The only organization the key works in, or null.',
    example: null,
  })
  bound_org_id!: string | null;

  @Field(uuid(), { description: 'Whose key it is.', example: '3f333df6-90a4-4fda-8dd3-9485d27cee36' })
  user_id!: string;

  @Field(literal('api_key'), { description: 'How the request was authenticated.' })
  auth_type!: 'api_key';
}

/** Path of operations on one key. */
export class ApiKeyPath {
  @Field(string(), {
    description: "The key's id.",
    example: '12',
    exampleFrom: {
      get: '/api/keys',
      list: '',
      value: 'id',
      notIdOf: '/api/keys/current',
      oldestFirst: true,
      none: 'The only key you have is the one in use: make one with POST /api/keys.',
    },
  })
  key_id!: string;
}

/** Response of `DELETE /api/keys/{key_id}`. */
export class ApiKeyRevoked {
  @Field(string(), { description: 'One sentence for people.', example: 'The key was revoked.' })
  message!: string;
}
