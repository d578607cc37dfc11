import { z } from 'zod';
import { isRecord, uuidText } from '../common';

/** Declares one kind of event with its fields. */
function event<Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  return z.object({ kind: z.literal(kind), ...fields });
}

const conversation = { org_id: uuidText, conversation_id: uuidText };

/**
 * A message queued before its conversation exists has no `conversation_id`; `org_id` is null only for queues made by
 * releases that did not store it.
 */
const message = {
  org_id: uuidText.nullable(),
  conversation_id: uuidText.nullable(),
  queue_id: uuidText,
  message_id: uuidText,
};

const invitation = { org_id: uuidText, invitation_id: z.int(), role: z.string() };

const member = { org_id: uuidText, user_id: uuidText };

/** `org_id` is the organization that the key is bound to. */
const apiKey = { org_id: uuidText.nullable(), user_id: uuidText, api_key_id: z.int() };

const webhook = { org_id: uuidText, webhook_id: uuidText };

/**
 * Everything that happens, one entry per kind: ids and what changed, never a secret. It is also the schema
 * that reads an event back from the job of a listener, so a new field must be optional: jobs stored before an
 * upgrade run after it.
 */
export const domainEventSchema = z.discriminatedUnion('kind', [
  event('conversation.created', {
    ...conversation,
    created_by_user_id: uuidText,
    parent_conversation_id: uuidText.nullable(),
    sandbox_id: uuidText,
  }),
  /** `fields` are the columns of the record that have another value now. */
  event('conversation.updated', { ...conversation, fields: z.array(z.string()) }),
  event('conversation.deleted', conversation),
  event('conversation.status_changed', {
    ...conversation,
    start_state: z.enum(['starting', 'ready', 'failed']),
    execution_status: z.string().nullable(),
  }),
  event('message.queued', { ...message, user_id: uuidText }),
  event('message.delivered', message),
  event('message.failed', { ...message, reason: z.string() }),
  event('sandbox.status_changed', {
    org_id: uuidText,
    sandbox_id: uuidText,
    status: z.enum(['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING']),
    /** Being paused or deleted while it shows as PAUSED. */
    stopping: z.boolean(),
    status_detail: z.string().nullable(),
  }),
  /** An event of the agent, stored now: `event_id` and `event_kind` are those of the agent server. */
  event('event.received', {
    ...conversation,
    event_id: z.string(),
    event_kind: z.string(),
    occurred_at: z.iso.datetime(),
  }),
  event('invitation.created', { ...invitation, inviter_user_id: uuidText }),
  event('invitation.accepted', { ...invitation, user_id: uuidText }),
  event('member.added', { ...member, role: z.string() }),
  event('member.role_changed', { ...member, role: z.string(), previous_role: z.string() }),
  event('member.removed', member),
  /** Settings of an organization (`user_id` is null), of a user (`org_id` is null), or of a user in one organization. */
  event('settings.updated', {
    org_id: uuidText.nullable(),
    user_id: uuidText.nullable(),
    fields: z.array(z.string()),
  }),
  event('api_key.created', apiKey),
  event('api_key.revoked', apiKey),
  event('webhook.created', { ...webhook, user_id: uuidText }),
  /** `fields` are what was changed; `secret` when it was rotated, `enabled` when it was enabled. */
  event('webhook.updated', { ...webhook, user_id: uuidText, fields: z.array(z.string()) }),
  event('webhook.deleted', { ...webhook, user_id: uuidText }),
  /** By request, or by the service: it answered 410, it only failed for days, or too much waited for it. */
  event('webhook.disabled', { ...webhook, reason: z.enum(['by_request', 'gone', 'failing', 'backlog']) }),
]);

export type DomainEvent = z.output<typeof domainEventSchema>;

export type DomainEventKind = DomainEvent['kind'];

type Subject<Kind extends string> = Kind extends `${infer Before}.${string}` ? Before : never;

/** What a listener may name: one kind, all kinds of a subject (`sandbox.*`), or all (`*`). */
export type DomainEventPattern = DomainEventKind | `${Subject<DomainEventKind>}.*` | '*';

/** The events that a pattern matches. */
export type DomainEventOf<Pattern extends DomainEventPattern> = Pattern extends '*'
  ? DomainEvent
  : Pattern extends `${infer Before}.*`
    ? Extract<DomainEvent, { kind: `${Before}.${string}` }>
    : Extract<DomainEvent, { kind: Pattern }>;

export const DOMAIN_EVENT_KINDS: readonly DomainEventKind[] = domainEventSchema.options.map(
  ({ shape }) => shape.kind.value,
);

/** The kinds that a pattern matches; none for one that is unknown. */
export function kindsOf(pattern: string): DomainEventKind[] {
  if (pattern === '*') return [...DOMAIN_EVENT_KINDS];
  return DOMAIN_EVENT_KINDS.filter(
    (kind) => kind === pattern || (pattern.endsWith('.*') && kind.startsWith(pattern.slice(0, -1))),
  );
}

/**
 * Reads the events of a listener's jobs. A listener of one kind also takes a payload without `kind`: jobs
 * stored by releases without domain events, such as `member-removed`, have none.
 */
export function payloadSchemaOf(kinds: readonly DomainEventKind[]) {
  return z.preprocess((payload) => {
    return kinds.length === 1 && isRecord(payload) && !('kind' in payload)
      ? { ...payload, kind: kinds[0] }
      : payload;
  }, domainEventSchema);
}
