import { OrgPath } from '../../orgs';
import { dateTime, Field, string, uuid } from '../../../kernel/validation';
import { MAX_TOKEN_NAME } from '../record/limits';

const ID = '1d7a4c1e-52c1-4b0e-a0c5-4bde0fd41a77';
const TIME = '2026-11-29T09:30:00.000Z';

/** Path of operations on one token. */
export class ScimTokenPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the token.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/scim-tokens',
      list: '',
      value: 'id',
      none: 'The organization has no token of its directory: make one with POST.',
    },
  })
  token_id!: string;
}

/** Body of `POST …/scim-tokens`. */
export class ScimTokenCreate {
  @Field(string({ trim: true, minLength: 1, maxLength: MAX_TOKEN_NAME }), {
    description: 'What it is called, as by the directory that gets it.',
    example: 'Entra ID',
  })
  name!: string;

  @Field(dateTime(), { nullable: true, description: 'When it ends; null for never.', example: null })
  expires_at: Date | null = null;
}

/** A token of the organization's directory, without its text. */
export class ScimTokenResponse {
  @Field(uuid(), { description: 'Id of the token.', example: ID })
  id!: string;

  @Field(string(), { description: 'What it is called.', example: 'Entra ID' })
  name!: string;

  @Field(string(), { description: 'With which it begins, to recognize it by.', example: 'ocs_scim_3fK9xQ' })
  prefix!: string;

  @Field(dateTime(), { description: 'When it was made.', example: TIME })
  created_at!: string;

  @Field(dateTime(), { nullable: true, description: 'To the minute; null for never.', example: TIME })
  last_used_at!: string | null;

  @Field(dateTime(), { nullable: true, description: 'When it ends; null for never.', example: null })
  expires_at!: string | null;
}

/** A token just made: the only moment its text is known. */
export class ScimTokenCreated extends ScimTokenResponse {
  @Field(string(), {
    nullable: true,
    description: 'The token, shown this once: a replay has null here.',
    example: 'ocs_scim_3fK9xQ7LmZ2pR8sT1vW4yB6cD0eG5hJNn7Uq3Ka',
  })
  token!: string | null;

  @Field(string(), {
    description: 'The address that the directory is given with it.',
    example: 'https://conversations.example.com/scim/v2',
  })
  base_url!: string;
}
