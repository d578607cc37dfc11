import { hiddenProblem, PAGE_ID_EXAMPLE } from '../../kernel/common';
import { Field, integer, list, model, string } from '../../kernel/validation';
import { MAX_DESCRIPTION, MAX_SECRET_NAME, nameProblem, valueProblem } from './secret-rules';

const secretName = () => string({ maxLength: MAX_SECRET_NAME, rule: nameProblem });
const description = () => string({ maxLength: MAX_DESCRIPTION });
const secretValue = () => string({ rule: valueProblem });
const newValue = () => string({ rule: (value) => hiddenProblem(value) ?? valueProblem(value) });

/** Path of operations on one secret. */
export class SecretPath {
  @Field(string(), {
    description: 'Name of the secret.',
    example: 'NPM_TOKEN',
    exampleFrom: {
      get: '/api/v1/secrets/search',
      list: 'items',
      value: 'name',
      none: 'You have no secret: store one with POST /api/v1/secrets.',
    },
  })
  secret_name!: string;
}

/** Body of `POST /api/v1/secrets`. */
export class SecretCreate {
  @Field(secretName(), {
    description: 'Name of the environment variable that commands see.',
    example: 'NPM_TOKEN',
  })
  name!: string;

  @Field(newValue(), {
    description: 'The value, at most 64 KiB. Kept encrypted; never answered.',
    example: 'npm_example',
  })
  value!: string;

  @Field(description(), {
    optional: true,
    nullable: true,
    description: 'What it is for; the agent reads it.',
    example: 'For publishing packages',
  })
  description?: string | null;
}

/** Body of `PUT /api/v1/secrets/{secret_name}`. */
export class SecretUpdate {
  @Field(secretName(), { description: 'Its name from now on.', example: 'NPM_TOKEN' })
  name!: string;

  @Field(description(), {
    optional: true,
    nullable: true,
    description: 'What it is for; null for nothing.',
    example: 'For publishing packages',
  })
  description?: string | null;

  @Field(secretValue(), { optional: true, nullable: true, description: 'A new value; absent: as it is.' })
  value?: string | null;
}

/** A secret without its value. */
export class SecretInfo {
  @Field(string(), { description: 'Its name.', example: 'NPM_TOKEN' })
  name!: string;

  @Field(string(), { nullable: true, description: 'What it is for.', example: 'For publishing packages' })
  description!: string | null;
}

export class SecretPage {
  @Field(list(model(() => SecretInfo)), { description: 'Secrets, by name.' })
  items!: SecretInfo[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}

export class SecretSearch {
  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(string(), { optional: true, description: 'Part of the name, in any case.', example: 'token' })
  name__contains?: string;

  @Field(integer({ ge: 1 }), { description: 'Size of the page; above 100 counts as 100.' })
  limit = 100;
}
