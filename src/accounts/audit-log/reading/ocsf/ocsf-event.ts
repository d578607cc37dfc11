import { VERSION } from '../../../../kernel/common';
import type { OcsfEvent } from '../audit-log.dto';
import { type AuditRecord, auditRecord } from '../rows/audit-record';
import type { AuditRow } from '../rows/audit-rows.read-model';
import {
  ACCOUNT_CHANGE,
  activityOf,
  API_ACTIVITY,
  AUTHENTICATION,
  OCSF_VERSION,
  type OcsfActivity,
  USER_ACCESS,
} from './ocsf-classes';

const SERVICE = 'org-conversation-service';

const SEVERITIES = {
  success: { severity_id: 1, severity: 'Informational' },
  failed: { severity_id: 2, severity: 'Low' },
  refused: { severity_id: 3, severity: 'Medium' },
} as const;

/** Kinds of users that OCSF has a number for; others are named as the log names them. */
const USER_TYPES: Readonly<Record<string, { readonly type_id: number; readonly type: string }>> = {
  unknown: { type_id: 0, type: 'Unknown' },
  user: { type_id: 1, type: 'User' },
  operator: { type_id: 2, type: 'Admin' },
  system: { type_id: 3, type: 'System' },
};
const OTHER_TYPE = 99;

/** What an event, or a part of it, has. */
type Attributes = Readonly<Record<string, unknown>>;

/** What may change who may do what: as privileges of an event. */
const PRIVILEGES = ['role', 'own_role_id', 'permissions'];

/** A row as an event of OCSF (docs/audit-log.md#ocsf). */
export function ocsfEvent(row: AuditRow): OcsfEvent & Attributes {
  return ocsfEventOf(auditRecord(row));
}

/** @param record a row, read */
export function ocsfEventOf(record: AuditRecord): OcsfEvent & Attributes {
  const { actor, personal, code, status } = record;
  const activity = activityOf(record.action, status);
  const { of, id } = activity;
  const activityName = of.activities[id] ?? 'Unknown';
  const isDone = record.outcome === 'success';
  return {
    class_uid: of.uid,
    class_name: of.name,
    category_uid: of.category.uid,
    category_name: of.category.name,
    activity_id: id,
    activity_name: activityName,
    type_uid: of.uid * 100 + id,
    type_name: `${of.name}: ${activityName}`,
    time: Date.parse(record.at),
    ...SEVERITIES[record.outcome],
    status_id: isDone ? 1 : 2,
    status: isDone ? 'Success' : 'Failure',
    ...(code !== null && { status_code: code }),
    metadata: { ...metadataOf(record) },
    actor: actor.kind === 'system' ? { app_name: SERVICE } : { user: actorUser(record) },
    src_endpoint: endpointOf(record),
    ...ofClass(record, activity),
    ...(typeof personal?.user_agent === 'string' && { http_request: { user_agent: personal.user_agent } }),
    ...(status !== null && { http_response: { code: status } }),
    unmapped: {
      action: record.action,
      target: record.target,
      changes: record.changes,
      actor_kind: actor.kind,
      session: actor.session,
      hash: record.hash,
    },
  };
}

function metadataOf({ id, org_id, position, request_id, action }: AuditRecord): Attributes {
  return {
    version: OCSF_VERSION,
    product: { name: SERVICE, vendor_name: SERVICE, version: VERSION },
    log_name: 'audit-log',
    uid: id,
    sequence: position,
    event_code: action,
    ...(org_id !== null && { tenant_uid: org_id }),
    ...(request_id !== null && { correlation_uid: request_id }),
  };
}

/** What the classes do not share. */
function ofClass(record: AuditRecord, { of, id }: OcsfActivity): Attributes {
  if (of === ACCOUNT_CHANGE) return { user: targetUser(record) };
  if (of === AUTHENTICATION) return { user: actorUser(record), service: { name: SERVICE } };
  if (of === USER_ACCESS) return { user: targetUser(record), privileges: privilegesOf(record, id === 2) };
  if (of !== API_ACTIVITY) return {};
  const { action, request_id, status, code, target } = record;
  return {
    api: {
      operation: action,
      service: { name: SERVICE },
      ...(request_id !== null && { request: { uid: request_id } }),
      ...(status !== null && { response: { code: status, ...(code !== null && { error: code }) } }),
    },
    ...(target !== null && { resources: [{ type: target.type, uid: target.id }] }),
  };
}

function actorUser({ actor, org_id }: AuditRecord): Attributes {
  return {
    ...(actor.user_id === null ? { name: actor.kind } : { uid: actor.user_id }),
    ...(actor.name !== null && { name: actor.name }),
    ...(actor.email !== null && { email_addr: actor.email }),
    ...(actor.key_prefix !== null && { credential_uid: actor.key_prefix }),
    ...(org_id !== null && { org: { uid: org_id } }),
    ...(USER_TYPES[actor.kind] ?? { type_id: OTHER_TYPE, type: actor.kind }),
  };
}

/** Who takes an invitation is whom it gives something; who is refused names nobody. */
function targetUser(record: AuditRecord): Attributes {
  const { target, action } = record;
  if (action === 'acceptInvitation') return actorUser(record);
  return target === null ? { name: 'unknown', ...USER_TYPES['unknown'] } : { uid: target.id };
}

function endpointOf({ actor, personal }: AuditRecord): Attributes {
  if (typeof personal?.address === 'string') return { ip: personal.address };
  return { name: actor.kind === 'system' || actor.kind === 'operator' ? SERVICE : 'unknown' };
}

/** What was given or taken, as far as the row says it: else, to be a member at all. */
function privilegesOf({ changes }: AuditRecord, isTaken: boolean): string[] {
  const values = (changes ?? []).flatMap(({ before, after }) =>
    PRIVILEGES.flatMap((name) => (isTaken ? before : after)?.[name] ?? []),
  );
  const names = values.flat().filter((value) => typeof value === 'string');
  return names.length === 0 ? ['member'] : names;
}
