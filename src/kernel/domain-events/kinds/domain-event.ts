import { z } from 'zod';
import { auditFields } from './audit-entry';
import { dueFields } from './retention-due';
import {
  ROLE,
  apiKey,
  budget,
  budgetSpending,
  conversation,
  field,
  id,
  idIfAny,
  idOrNull,
  identityDomain,
  identityProvider,
  invitation,
  legalHold,
  member,
  message,
  names,
  organizationField,
  role,
  sandboxId,
  scimToken,
  serial,
  serviceAccount,
  settings,
  text,
  textOrNull,
  userId,
  webhook,
} from './event-fields';

/** Declares one kind of event: when it happens, and its fields. */
function event<Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  description: string,
  fields: Fields,
) {
  return z.object({ kind: z.literal(kind), ...fields }).meta({ description });
}

/**
 * Everything that happens, one entry per kind: ids and what changed, never a secret. It is also the schema
 * that reads an event back from the job of a listener, so a new field must be optional: jobs stored before an
 * upgrade run after it.
 */
export const domainEventSchema = z.discriminatedUnion('kind', [
  event('conversation.created', 'A conversation was started.', {
    ...conversation,
    created_by_user_id: userId('Who started it.'),
    parent_conversation_id: idOrNull(
      'The conversation whose sub-conversation it is.',
      '4e8d0f4a-9b1c-4a6f-8f0d-6f1d2f6a7b44',
    ),
    sandbox_id: sandboxId,
  }),
  event('conversation.updated', 'The record of a conversation was changed.', {
    ...conversation,
    fields: names('The columns of the record that have another value now.', 'title'),
  }),
  event('conversation.deleted', 'A conversation was deleted.', conversation),
  event('conversation.status_changed', 'A conversation is started, or its agent does something else.', {
    ...conversation,
    start_state: field(z.enum(['starting', 'ready', 'failed']), 'How its start stands.', 'ready'),
    execution_status: field(z.string().nullable(), 'What its agent does.', 'running'),
  }),
  event('conversation.stopped', 'An admin or owner stopped the conversation of a member.', {
    ...conversation,
    user_id: userId('Who stopped it.'),
    reason: text('Why.', 'It works on the wrong repository.'),
    event_id: text(
      'The event of the conversation that tells its creator.',
      'service-1f0c3d52-77aa-4b52-9f0e-3f5a8d1b7c11',
    ),
  }),
  event(
    'conversation.interrupted',
    'The agent of a conversation was interrupted, because a budget is exhausted.',
    {
      ...conversation,
      budget_id: id('The budget.', '2f6b1c7e-94d3-4b0a-8c55-7e1d9a3f6b20'),
      reason: text(
        'Why, as its creator reads it.',
        'The budget of the organization, $500 per month, has no room for this until it is raised.',
      ),
      event_id: text(
        'The event of the conversation that tells its creator.',
        'service-1f0c3d52-77aa-4b52-9f0e-3f5a8d1b7c11',
      ),
    },
  ),
  event('start_task.status_changed', 'The start of a conversation has come to another step.', {
    ...conversation,
    start_task_id: id('The start task.', '2c9e0f66-1a4b-4d1e-9c8f-5d1e2f7a8c55'),
    status: field(z.string(), 'The step, or READY or ERROR, with which it is over.', 'PREPARING_REPOSITORY'),
  }),
  event('message.queued', 'A message was put into a queue.', {
    ...message,
    user_id: userId('Who wrote it.'),
  }),
  event('message.delivered', 'A queued message was delivered.', message),
  event('message.failed', 'A queued message will not be delivered.', {
    ...message,
    reason: text('Why not.', 'The conversation was deleted.'),
  }),
  event('sandbox.status_changed', 'A sandbox is in another state.', {
    org_id: organizationField,
    sandbox_id: sandboxId,
    status: field(
      z.enum(['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING']),
      'The state it is in.',
      'RUNNING',
    ),
    stopping: field(z.boolean(), 'Whether it is being paused or deleted while it shows as PAUSED.', false),
    status_detail: textOrNull('What is wrong with it.'),
  }),
  event('event.received', "An event of a conversation's agent was stored.", {
    ...conversation,
    event_id: text('Its id, as the agent server gave it.', '1f0c3d52-77aa-4b52-9f0e-3f5a8d1b7c11'),
    event_kind: text('Its kind, as the agent server gave it.', 'MessageEvent'),
    occurred_at: field(z.iso.datetime(), 'When it happened.', '2026-11-21T09:30:00.000Z'),
  }),
  event('invitation.created', 'Somebody was invited.', {
    ...invitation,
    inviter_user_id: userId('Who invites.'),
  }),
  event('invitation.accepted', 'An invitation was accepted.', {
    ...invitation,
    user_id: userId('Who accepted it.'),
  }),
  event('member.added', 'Somebody is a member now.', { ...member, role: text('Their role.', 'member') }),
  event('member.role_changed', 'A member has another role.', {
    ...member,
    role: text('Their role now.', 'admin'),
    previous_role: text('Their role before.', 'member'),
    own_role_id: idIfAny(
      "The organization's own role that they have now; absent without any before or now.",
      ROLE,
    ),
    previous_own_role_id: idIfAny('The own role that they had before; absent as that of now is.', null),
  }),
  event('member.removed', 'Somebody is no member any more.', member),
  event('member.sign_in_link_created', 'A link was made that signs in as a member.', {
    ...member,
    made_by_user_id: userId('Who made it.'),
  }),
  event('role.created', 'An organization has a new role of its own.', {
    ...role,
    user_id: userId('Who made it.'),
  }),
  event('role.updated', "An organization's own role was changed.", {
    ...role,
    user_id: userId('Who changed it.'),
    fields: names('What was changed: `name`, `permissions`.', 'permissions'),
  }),
  event('role.deleted', "An organization's own role was deleted.", {
    ...role,
    user_id: userId('Who deleted it.'),
  }),
  event('service_account.created', 'A service account was made.', {
    ...serviceAccount,
    user_id: userId('Who made it.'),
  }),
  event('service_account.updated', 'A service account was changed.', {
    ...serviceAccount,
    user_id: userId('Who changed it.'),
    fields: names('What was changed: `name`, `role`, `owner`, `identity`.', 'owner'),
  }),
  event('service_account.deleted', 'A service account was deleted.', {
    ...serviceAccount,
    user_id: userId('Who deleted it.'),
  }),
  event(
    'settings.updated',
    'Settings of an organization, of a user, or of a user in one organization were changed.',
    {
      ...settings,
      fields: names('What was changed.', 'registered_marketplaces'),
    },
  ),
  event('identity_provider.created', 'An organization has a provider to sign in with.', identityProvider),
  event('identity_provider.updated', 'A provider of identities was changed.', {
    ...identityProvider,
    fields: names(
      'What was changed: `exclusive` when people are let in by it alone, or no longer.',
      'default_role',
    ),
  }),
  event('identity_provider.deleted', 'A provider of identities was deleted.', identityProvider),
  event('identity_domain.added', 'An organization says that a domain is its own.', identityDomain),
  event('identity_domain.verified', "A domain was found to be an organization's.", identityDomain),
  event('identity_domain.removed', 'A domain of an organization was removed.', identityDomain),
  event('api_key.created', 'A key was made.', apiKey),
  event('api_key.revoked', 'A key was revoked.', apiKey),
  event('scim_token.created', "A token was made for the organization's directory.", {
    ...scimToken,
    user_id: userId('Who made it.'),
  }),
  event('scim_token.revoked', "A token of the organization's directory was revoked.", {
    ...scimToken,
    user_id: userId('Who revoked it.'),
  }),
  event('scim_group.role_changed', "Members of a group of the organization's directory get another role.", {
    org_id: organizationField,
    scim_group_id: id('The group.', '6f1d2a90-3c4e-4f7b-8a5d-9e0c1b2a3d44'),
    user_id: userId('Who decided on it.'),
    role: field(
      z.string().nullable(),
      "The role they get: one of the three, or the id of one of the organization's own; null for none.",
      'admin',
    ),
  }),
  event('api_key.rotated', 'A key was replaced by another, and ends.', {
    ...apiKey,
    new_api_key_id: serial('The key in its place.', 43),
    ends_at: field(z.iso.datetime(), 'When the old one ends.', '2026-11-21T10:30:00.000Z'),
  }),
  event('api_key.reported', 'Somebody found a key and reported it, which revoked it.', apiKey),
  event('webhook.created', 'A webhook was made.', { ...webhook, user_id: userId('Who made it.') }),
  event('webhook.updated', 'A webhook was changed.', {
    ...webhook,
    user_id: userId('Who changed it.'),
    fields: names('What was changed: `secret` when it was rotated, `enabled` when it was enabled.', 'kinds'),
  }),
  event('webhook.deleted', 'A webhook was deleted.', { ...webhook, user_id: userId('Who deleted it.') }),
  event('webhook.disabled', 'A webhook was disabled.', {
    ...webhook,
    reason: field(
      z.enum(['by_request', 'gone', 'failing', 'backlog']),
      'Somebody did it, it answered 410, it only failed for five days, or too much waited for it.',
      'failing',
    ),
  }),
  event('retention.due', 'What was not used for long will be removed in a week.', {
    org_id: organizationField,
    removal_at: field(
      z.iso.datetime(),
      'Nothing of it is removed before this time.',
      '2026-11-28T09:30:00.000Z',
    ),
    due: field(z.array(z.object(dueFields)), 'What will be removed.', [
      {
        what: 'conversations',
        days: 90,
        items: 12,
        bytes: 4_200_000,
        oldest_at: '2026-07-02T08:00:00.000Z',
        newest_at: '2026-08-28T17:45:00.000Z',
      },
    ]),
  }),
  event('legal_hold.created', 'Something of an organization may not be deleted.', {
    ...legalHold,
    user_id: userId('Who made it.'),
  }),
  event('legal_hold.lifted', 'A legal hold is over.', { ...legalHold, user_id: userId('Who lifted it.') }),
  event('budget.created', 'A budget was made.', { ...budget, user_id: userId('Who made it.') }),
  event('budget.updated', 'The limits of a budget were changed.', {
    ...budget,
    user_id: userId('Who changed it.'),
    fields: names('What was changed: `limit_usd`, `limit_tokens`, `soft_percent`, `enabled`.', 'limit_usd'),
  }),
  event('budget.deleted', 'A budget was deleted.', { ...budget, user_id: userId('Who deleted it.') }),
  event('budget.soft_limit_reached', 'Little is left of a budget; told once in its period.', budgetSpending),
  event('budget.exhausted', 'Nothing is left of a budget; told once in its period.', budgetSpending),
  event('person.erased', 'What there was of a person is gone.', {
    org_id: idOrNull(
      'The organization whose data of them it was; null for that of all of them.',
      '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    ),
    user_id: userId('Who they were.'),
    erasure_id: id('The erasure.', '8e2f1a64-3b5c-4d7e-8f90-1a2b3c4d5e66'),
    of_account: field(z.boolean(), 'Whether their account is gone as well.', true),
  }),
  event('audit.recorded', 'The audit log has another row.', auditFields),
]);

/** Something that happened, with the ids of whom it happened to. */
export type DomainEvent = z.output<typeof domainEventSchema>;
