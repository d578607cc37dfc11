import { hiddenProblem, PAGE_ID_EXAMPLE } from '../../kernel/common';
import { Field, integer, list, model, string } from '../../kernel/validation';

/* Limits of secrets (docs/contract.md#secrets). */

export const MAX_SECRETS = 200;
export const MAX_SECRET_NAME = 128;
export const MAX_DESCRIPTION = 1_000;
const MAX_VALUE_BYTES = 64 * 1024;
/** Encrypted size of a value of maximum length. */
export const MAX_SEALED_BYTES = 90 * 1024;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** @returns what is wrong with a secret's name, or null; it becomes the name of an environment variable */
function nameProblem(name: string): string | null {
  return NAME.test(name)
    ? null
    : 'a name has letters, digits and underscores, and does not begin with a digit';
}

/** @returns what is wrong with a secret's value, or null */
function valueProblem(value: string): string | null {
  if (value === '') return 'a value is not empty';
  if (value.includes('\0') || !value.isWellFormed()) return 'a value is text without NUL';
  return Buffer.byteLength(value) <= MAX_VALUE_BYTES ? null : `a value has at most ${MAX_VALUE_BYTES} bytes`;
}

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
