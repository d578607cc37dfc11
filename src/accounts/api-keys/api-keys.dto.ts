import { MAX_ADDRESS_RANGES, MAX_SCOPES, USER_KINDS, type UserKind } from '../../kernel/auth';
import { dateTime, Field, integer, list, literal, oneOf, string, uuid } from '../../kernel/validation';

/** Longer than any name of a permission, and any range of addresses. */
const MAX_ITEM = 200;

/** What is asked of a key, wherever it counts. */
export class KeyCreate {
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

  @Field(list(string({ maxLength: MAX_ITEM }), { min: 1, max: MAX_SCOPES }), {
    nullable: true,
    optional: true,
    description:
      'The permissions that the key can use at most. Omitted: those of the key that makes it. Null: all that its user has.',
    example: ['use_conversations'],
  })
  scopes?: string[] | null;

  @Field(list(string({ maxLength: MAX_ITEM }), { min: 1, max: MAX_ADDRESS_RANGES }), {
    nullable: true,
    optional: true,
    description:
      'The only addresses from which the key counts, or ranges of them in CIDR notation. Omitted: those of the key that makes it. Null: all.',
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  address_ranges?: string[] | null;
}

/** Body of `POST /api/keys`. */
export class ApiKeyCreate extends KeyCreate {
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

  @Field(string(), {
    nullable: true,
    description:
      'How the key begins, to recognize it by; null for what stands for a sign-in, which nobody can send.',
    example: 'ocs_4mTqGv',
  })
  prefix!: string | null;

  @Field(list(string()), {
    nullable: true,
    description: 'The permissions that the key can use at most; null for all that its user has.',
    example: ['use_conversations'],
  })
  scopes!: string[] | null;

  @Field(list(string()), {
    nullable: true,
    description: 'The only addresses from which the key counts, in CIDR notation; null for all.',
    example: null,
  })
  address_ranges!: string[] | null;
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

  @Field(oneOf(USER_KINDS), {
    description: 'Whether it is a person or a service account.',
    example: 'person',
  })
  user_kind!: UserKind;

  @Field(literal('api_key'), { description: 'How the request was authenticated.' })
  auth_type!: 'api_key';

  @Field(uuid(), {
    nullable: true,
    description:
      'The provider of identities that let you in, of whose token or sign-in the key is the stand-in; null for a key that was made.',
    example: null,
  })
  identity_provider_id!: string | null;
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

/** Body of `POST /api/keys/{key_id}/rotate`. */
export class ApiKeyRotate {
  @Field(integer({ ge: 0, le: 604_800 }), {
    description: 'For how long the old key still works beside the new one; at most a week.',
    example: 3600,
  })
  grace_seconds = 3_600;
}

/** Response of `DELETE /api/keys/{key_id}`. */
export class ApiKeyRevoked {
  @Field(string(), { description: 'One sentence for people.', example: 'The key was revoked.' })
  message!: string;
}
