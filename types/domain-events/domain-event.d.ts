import { z } from 'zod';
/**
 * Everything that happens, one entry per kind: ids and what changed, never a secret. It is also the schema
 * that reads an event back from the job of a listener, so a new field must be optional: jobs stored before an
 * upgrade run after it.
 */
export declare const domainEventSchema: z.ZodDiscriminatedUnion<[z.ZodObject<{
    kind: z.ZodLiteral<"conversation.created">;
    created_by_user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    parent_conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    sandbox_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"conversation.updated">;
    fields: z.ZodArray<z.ZodString>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"conversation.deleted">;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"conversation.status_changed">;
    start_state: z.ZodEnum<{
        ready: "ready";
        failed: "failed";
        starting: "starting";
    }>;
    execution_status: z.ZodNullable<z.ZodString>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"message.queued">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"message.delivered">;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"message.failed">;
    reason: z.ZodString;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"sandbox.status_changed">;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    sandbox_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    status: z.ZodEnum<{
        RUNNING: "RUNNING";
        STARTING: "STARTING";
        PAUSED: "PAUSED";
        ERROR: "ERROR";
        MISSING: "MISSING";
    }>;
    stopping: z.ZodBoolean;
    status_detail: z.ZodNullable<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"event.received">;
    event_id: z.ZodString;
    event_kind: z.ZodString;
    occurred_at: z.ZodISODateTime;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"invitation.created">;
    inviter_user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    invitation_id: z.ZodInt;
    role: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"invitation.accepted">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    invitation_id: z.ZodInt;
    role: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"member.added">;
    role: z.ZodString;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"member.role_changed">;
    role: z.ZodString;
    previous_role: z.ZodString;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"member.removed">;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"settings.updated">;
    fields: z.ZodArray<z.ZodString>;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"api_key.created">;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    api_key_id: z.ZodInt;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"api_key.revoked">;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    api_key_id: z.ZodInt;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.created">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.updated">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    fields: z.ZodArray<z.ZodString>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.deleted">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.disabled">;
    reason: z.ZodEnum<{
        by_request: "by_request";
        gone: "gone";
        failing: "failing";
        backlog: "backlog";
    }>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>], "kind">;
export type DomainEvent = z.output<typeof domainEventSchema>;
export type DomainEventKind = DomainEvent['kind'];
type Subject<Kind extends string> = Kind extends `${infer Before}.${string}` ? Before : never;
/** What a listener may name: one kind, all kinds of a subject (`sandbox.*`), or all (`*`). */
export type DomainEventPattern = DomainEventKind | `${Subject<DomainEventKind>}.*` | '*';
/** The events that a pattern matches. */
export type DomainEventOf<Pattern extends DomainEventPattern> = Pattern extends '*' ? DomainEvent : Pattern extends `${infer Before}.*` ? Extract<DomainEvent, {
    kind: `${Before}.${string}`;
}> : Extract<DomainEvent, {
    kind: Pattern;
}>;
export declare const DOMAIN_EVENT_KINDS: readonly DomainEventKind[];
/** The kinds that a pattern matches; none for one that is unknown. */
export declare function kindsOf(pattern: string): DomainEventKind[];
/**
 * Reads the events of a listener's jobs. A listener of one kind also takes a payload without `kind`: jobs
 * stored by releases without domain events, such as `member-removed`, have none.
 */
export declare function payloadSchemaOf(kinds: readonly DomainEventKind[]): z.ZodPreprocess<z.ZodDiscriminatedUnion<[z.ZodObject<{
    kind: z.ZodLiteral<"conversation.created">;
    created_by_user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    parent_conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    sandbox_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"conversation.updated">;
    fields: z.ZodArray<z.ZodString>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"conversation.deleted">;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"conversation.status_changed">;
    start_state: z.ZodEnum<{
        ready: "ready";
        failed: "failed";
        starting: "starting";
    }>;
    execution_status: z.ZodNullable<z.ZodString>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"message.queued">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"message.delivered">;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"message.failed">;
    reason: z.ZodString;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    conversation_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    queue_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    message_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"sandbox.status_changed">;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    sandbox_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    status: z.ZodEnum<{
        RUNNING: "RUNNING";
        STARTING: "STARTING";
        PAUSED: "PAUSED";
        ERROR: "ERROR";
        MISSING: "MISSING";
    }>;
    stopping: z.ZodBoolean;
    status_detail: z.ZodNullable<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"event.received">;
    event_id: z.ZodString;
    event_kind: z.ZodString;
    occurred_at: z.ZodISODateTime;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    conversation_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"invitation.created">;
    inviter_user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    invitation_id: z.ZodInt;
    role: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"invitation.accepted">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    invitation_id: z.ZodInt;
    role: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"member.added">;
    role: z.ZodString;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"member.role_changed">;
    role: z.ZodString;
    previous_role: z.ZodString;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"member.removed">;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"settings.updated">;
    fields: z.ZodArray<z.ZodString>;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"api_key.created">;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    api_key_id: z.ZodInt;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"api_key.revoked">;
    org_id: z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    api_key_id: z.ZodInt;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.created">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.updated">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    fields: z.ZodArray<z.ZodString>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.deleted">;
    user_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>, z.ZodObject<{
    kind: z.ZodLiteral<"webhook.disabled">;
    reason: z.ZodEnum<{
        by_request: "by_request";
        gone: "gone";
        failing: "failing";
        backlog: "backlog";
    }>;
    org_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    webhook_id: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>], "kind">, unknown>;
export {};
