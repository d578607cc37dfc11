import { type Permission, permissionsOf, ROLES, type Role } from '../../kernel/auth';
import { dateTime, Field, list, model, oneOf, string, uuid } from '../../kernel/validation';
import { storableText } from '../../kernel/common';
import { ApiKeyResponse } from '../api-keys';
import { MAX_SUBJECT } from '../identity-providers';
import { OrgPath, OWN_ROLE_ID, OwnRoleName } from '../orgs';

const ID = '0d7c4f2e-58a3-4b3c-9f38-2b1f7d9c6a10';
const OWNER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';
const TIME = '2026-11-21T09:30:00.000Z';
const MAX_NAME = 200;
const NAME_TEXT = 'What it is called, for people.';
const ROLE_TEXT = 'member or admin, in any case: a service account is no owner.';
const OWN_ROLE_TEXT = "One of the organization's own roles, with which it ranks as member; null for none.";
const OWNER_TEXT = 'The member whom to ask about it.';

function subjectProblem(text: string): string | null {
  return storableText(text) === text ? null : 'must be text without NUL that is well-formed';
}

const name = () => string({ trim: true, minLength: 1, maxLength: MAX_NAME });

/** Path of operations on one service account. */
export class ServiceAccountPath extends OrgPath {
  @Field(string(), {
    description: 'Id of the service account; what is no id of one is a 404.',
    example: ID,
    exampleFrom: {
      get: '/api/organizations/{org_id}/service-accounts',
      list: 'items',
      value: 'id',
      none: 'The organization has no service account: make one with POST.',
    },
  })
  account_id!: string;
}

/** Path of operations on one key of a service account. */
export class ServiceAccountKeyPath extends ServiceAccountPath {
  @Field(string(), {
    description: 'Id of the key; what is no id of one is a 404.',
    example: '12',
    exampleFrom: {
      get: '/api/organizations/{org_id}/service-accounts/{account_id}/keys',
      list: 'items',
      value: 'id',
      none: 'The service account has no key: make one with POST.',
    },
  })
  key_id!: string;
}

/** Body of `POST …/service-accounts`. */
export class ServiceAccountCreate {
  @Field(name(), { description: NAME_TEXT, example: 'Nightly build' })
  name!: string;

  @Field(string(), { optional: true, description: `${ROLE_TEXT} Default: member.`, example: 'member' })
  role?: string;

  @Field(uuid(), { optional: true, nullable: true, description: OWN_ROLE_TEXT, example: null })
  own_role_id?: string | null;

  @Field(uuid(), { optional: true, description: `${OWNER_TEXT} Default: the caller.`, example: OWNER })
  owner_user_id?: string;
}

/** Body of `PATCH …/service-accounts/{account_id}`; what is absent stays. */
export class ServiceAccountUpdate {
  @Field(name(), { optional: true, description: NAME_TEXT, example: 'Nightly build' })
  name?: string;

  @Field(string(), {
    optional: true,
    description: `${ROLE_TEXT} In place of an own role, too.`,
    example: 'admin',
  })
  role?: string;

  @Field(uuid(), { optional: true, nullable: true, description: OWN_ROLE_TEXT, example: OWN_ROLE_ID })
  own_role_id?: string | null;

  @Field(uuid(), { optional: true, description: OWNER_TEXT, example: OWNER })
  owner_user_id?: string;
}

/** The member whom to ask about a service account. */
export class ServiceAccountOwner {
  @Field(uuid(), { description: 'Id of the user.', example: OWNER })
  user_id!: string;

  @Field(string(), { description: 'E-mail address of the user.', example: 'member@example.com' })
  email!: string;

  @Field(string(), { nullable: true, description: 'Name of the user, if they gave one.', example: 'Robin' })
  name!: string | null;
}

const PROVIDER = '1d7e3a52-6c0b-4f8e-9a11-2b5d8c4e7f60';
const SUBJECT_TEXT =
  'What its tokens have as `sub`, letter by letter; of opaque ones without it, as `client_id`, which is a client itself.';

/** Body of `PUT …/service-accounts/{account_id}/identity`. */
export class ServiceAccountIdentityUpdate {
  @Field(uuid(), { description: 'Id of a provider of the organization.', example: PROVIDER })
  provider_id!: string;

  @Field(string({ minLength: 1, maxLength: MAX_SUBJECT, rule: subjectProblem }), {
    description: SUBJECT_TEXT,
    example: 'nightly-build',
  })
  subject!: string;
}

/** The subject of a provider whose tokens act for a service account. */
export class ServiceAccountIdentity {
  @Field(uuid(), { description: 'Id of the provider.', example: PROVIDER })
  provider_id!: string;

  @Field(string(), { description: SUBJECT_TEXT, example: 'nightly-build' })
  subject!: string;

  @Field(uuid(), {
    description: 'Who bound it: its tokens do no more than they may, and act no longer when they leave.',
    example: OWNER,
  })
  bound_by_user_id!: string;
}

/** A user without an address, which only keys and tokens of a provider act for. */
export class ServiceAccountResponse {
  @Field(uuid(), { description: 'Id of the service account, a user.', example: ID })
  id!: string;

  @Field(string(), { description: NAME_TEXT, example: 'Nightly build' })
  name!: string;

  @Field(oneOf(ROLES), { description: 'What it is in the organization; never owner.', example: 'member' })
  role!: Role;

  @Field(model(() => OwnRoleName), {
    nullable: true,
    description: "The organization's own role that it has, with its permissions in place of those of `role`.",
    example: null,
  })
  own_role!: OwnRoleName | null;

  @Field(list(oneOf(permissionsOf('owner'))), {
    description: 'What it may do at most. With a key it may only what the maker of that may, too.',
    example: ['view_org_settings', 'use_conversations'],
  })
  permissions!: Permission[];

  @Field(model(() => ServiceAccountOwner), {
    nullable: true,
    description: `${OWNER_TEXT} Null when they have left.`,
  })
  owner!: ServiceAccountOwner | null;

  @Field(model(() => ServiceAccountIdentity), {
    nullable: true,
    description: 'The subject of a provider whose tokens act for it; null for none.',
    example: null,
  })
  identity!: ServiceAccountIdentity | null;

  @Field(dateTime(), { description: 'When it was made.', example: TIME })
  created_at!: string;
}

/** Response of `GET …/service-accounts`. */
export class ServiceAccountList {
  @Field(list(model(() => ServiceAccountResponse)), { description: 'The service accounts, by name.' })
  items!: ServiceAccountResponse[];
}

/** A key of a service account, without its text. */
export class ServiceAccountKey extends ApiKeyResponse {
  @Field(uuid(), {
    nullable: true,
    description: 'Who made it: it does no more than they may, and ends when they leave.',
    example: OWNER,
  })
  made_by_user_id!: string | null;
}

/** A key just made, with its text. */
export class ServiceAccountKeyCreated extends ServiceAccountKey {
  @Field(string(), {
    nullable: true,
    description: 'The key. Shown this once: only its digest is kept, and a replay has null here.',
    example: 'ocs_4mTqGv0Xn3bPzYcLw8RdKs1HfJe6UaQi2M9pZx',
  })
  key!: string | null;
}

/** Response of `GET …/service-accounts/{account_id}/keys`. */
export class ServiceAccountKeyList {
  @Field(list(model(() => ServiceAccountKey)), { description: 'The keys, oldest first.' })
  items!: ServiceAccountKey[];
}
