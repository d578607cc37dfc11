import { z } from 'zod';
import { uuidText } from '../../common';

/**
 * Says of a field of domain events what it is, and gives an example: for the documents, which are made of it.
 * @param also further keywords of its JSON schema
 */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: unknown,
  also: Readonly<Record<string, unknown>> = {},
): Schema {
  return schema.meta({ description, examples: [example], ...also });
}

const UUID = { format: 'uuid' };

/** A field with an id. */
export const id = (description: string, example: string) => field(uuidText, description, example, UUID);

/** A field with an id, or null. */
export const idOrNull = (description: string, example: string) =>
  field(uuidText.nullable(), description, example, UUID);

/** A field with an id, or null; jobs and clients from before it know events without it. */
export const idIfAny = (description: string, example: string | null) =>
  field(uuidText.nullable().optional(), description, example, UUID);

/** A field with a text. */
export const text = (description: string, example: string) => field(z.string(), description, example);

/** A field with a text, or null, which is its example. */
export const textOrNull = (description: string) => field(z.string().nullable(), description, null);

/** A field with names of what was changed. */
export const names = (description: string, ...example: readonly string[]) =>
  field(z.array(z.string()), description, example);

/** A field with a number of the database. */
export const serial = (description: string, example: number) => field(z.int(), description, example);

const ORGANIZATION = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const CONVERSATION = 'd8a5f6f2-3f0b-4c7e-9a55-0f6f8f3e2b1c';
const USER = '3f333df6-90a4-4fda-8dd3-9485d27cee36';

/** The organization of an event. */
export const organizationField = id('The organization.', ORGANIZATION);

/** A field with the id of a user. */
export const userId = (description: string) => id(description, USER);

/** Fields that kinds of events share, by what the events are about. */
export const conversation = {
  org_id: organizationField,
  conversation_id: id('The conversation.', CONVERSATION),
};

export const message = {
  org_id: organizationField,
  conversation_id: idOrNull('The conversation; null while it does not exist.', CONVERSATION),
  queue_id: id('The queue.', '0b7c5f7e-7a55-4a0e-8f0d-3c7d0f8c1a22'),
  message_id: id('The message.', '9d1f0c52-5d0c-4a6f-b7de-2f1d2f6a7b33'),
};

export const invitation = {
  org_id: organizationField,
  invitation_id: serial('The invitation.', 17),
  role: text('What it offers.', 'member'),
};

export const member = { org_id: organizationField, user_id: userId('The member.') };

export const ROLE = '6f1f7a52-0f6b-4a4e-8a9b-5c8f3d0e4b71';

export const role = { org_id: organizationField, role_id: id("The organization's own role.", ROLE) };

export const serviceAccount = {
  org_id: organizationField,
  service_account_id: userId('The service account, a user.'),
};

export const apiKey = {
  org_id: idOrNull('The organization that the key is bound to.', ORGANIZATION),
  user_id: userId('Whose key it is.'),
  api_key_id: serial('The key.', 42),
};

export const sandboxId = id('The sandbox.', '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22');

export const settings = {
  org_id: idOrNull("The organization; null for settings of a user's own.", ORGANIZATION),
  user_id: field(uuidText.nullable(), "The user; null for an organization's settings.", null, UUID),
};

export const webhook = {
  org_id: organizationField,
  webhook_id: id('The webhook.', 'a4d2c1c6-5a77-4b52-9f0e-3f5a8d1b7c90'),
};

export const identityProvider = {
  org_id: organizationField,
  identity_provider_id: id('The provider.', '1d7e3a52-6c0b-4f8e-9a11-2b5d8c4e7f60'),
  user_id: userId('Who did it.'),
};

export const identityDomain = {
  org_id: organizationField,
  domain: text('The domain.', 'example.com'),
  user_id: idOrNull('Who did it; null for the operator.', USER),
};

export const scimToken = {
  org_id: organizationField,
  scim_token_id: id('The token.', '1d7a4c1e-52c1-4b0e-a0c5-4bde0fd41a77'),
};

/** A legal hold: on a conversation, or on a person. */
export const legalHold = {
  org_id: organizationField,
  legal_hold_id: id('The hold.', '5c1d9e77-0f3a-4f0e-9a1b-2d3c4e5f6a88'),
  conversation_id: idOrNull('The conversation it is on; null for one on a person.', CONVERSATION),
  held_user_id: idOrNull('The person it is on; null for one on a conversation.', USER),
};

const nullableNumber = (description: string, example: number | null) =>
  field(z.number().nullable(), description, example);

/** A budget. */
export const budget = {
  org_id: organizationField,
  budget_id: id('The budget.', '2f6b1c7e-94d3-4b0a-8c55-7e1d9a3f6b20'),
  scope: field(
    z.enum(['organization', 'each_user', 'user', 'repository', 'tag', 'conversation']),
    'What it is about.',
    'organization',
  ),
  subject: field(
    z.string().nullable(),
    'The id of the user or conversation, the repository, or the tag as `name:value`; of one for each user whose limit is reached; null for the organization.',
    null,
  ),
  period: field(z.enum(['day', 'month', 'total']), 'How long it lasts until it begins anew.', 'month'),
  limit_usd: nullableNumber('Its limit in dollars; null for none.', 500),
  limit_tokens: nullableNumber('Its limit in tokens; null for none.', null),
};

/** A budget, and what is spent of it. */
export const budgetSpending = {
  ...budget,
  spent_usd: field(z.number(), 'The dollars that are spent in its period.', 500.02),
  spent_tokens: field(z.number(), 'The tokens that are spent in its period.', 81_230_000),
  resets_at: field(
    z.iso.datetime().nullable(),
    'When its next period begins; null where it has one only.',
    '2026-12-01T00:00:00.000Z',
  ),
};
