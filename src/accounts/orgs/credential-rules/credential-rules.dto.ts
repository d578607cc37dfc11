import { ROLES, type Role } from '../../../kernel/auth';
import { boolean, dateTime, Field, integer, oneOf } from '../../../kernel/validation';

/** Ten years. */
const MOST_DAYS = 3_660;

/** Body of `PUT /api/organizations/{org_id}/credential-rules`: what is left out is no rule. */
export class CredentialRulesUpdate {
  @Field(integer({ ge: 1, le: MOST_DAYS }), {
    nullable: true,
    description: 'For how many days after they were made keys are accepted; null for as long as they work.',
    example: 90,
  })
  longest_key_days: number | null = null;

  @Field(boolean(), { description: 'Whether keys need a time at which they end.', example: true })
  expiry_required = false;

  @Field(boolean(), { description: 'Whether keys need scopes.', example: false })
  scopes_required = false;

  @Field(oneOf(ROLES), { description: 'The lowest role whose members may make keys.', example: 'member' })
  key_makers: Role = 'member';

  @Field(boolean(), {
    description:
      "Whether people's keys count although the organization lets people in by its own provider only.",
    example: false,
  })
  keys_beside_provider = false;

  @Field(boolean(), {
    description: 'Whether to set rules, too, by which the key of this request is not accepted any more.',
    example: false,
  })
  force = false;
}

/** What an organization asks of the keys that are used in it. */
export class CredentialRulesResponse {
  @Field(integer(), {
    nullable: true,
    description: 'For how many days after they were made keys are accepted; null for as long as they work.',
    example: 90,
  })
  longest_key_days!: number | null;

  @Field(boolean(), { description: 'Whether keys need a time at which they end.', example: true })
  expiry_required!: boolean;

  @Field(boolean(), { description: 'Whether keys need scopes.', example: false })
  scopes_required!: boolean;

  @Field(oneOf(ROLES), { description: 'The lowest role whose members may make keys.', example: 'member' })
  key_makers!: Role;

  @Field(boolean(), {
    description:
      "Whether people's keys count although the organization lets people in by its own provider only.",
    example: false,
  })
  keys_beside_provider!: boolean;

  @Field(dateTime(), {
    nullable: true,
    description: 'When they were set; null where there are none.',
    example: '2026-11-21T09:30:00.000Z',
  })
  updated_at!: string | null;
}
