import type { IncomingMessage } from 'node:http';
import { clientAddress, kindOf, notedOrganization, requestIdentity } from '../../auth';
import { newId, parseUuid, storableText } from '../../common';
import type { AuditFields } from '../../domain-events';
import { notedTarget, notedActor, readOfOthers } from './audited-call';
import type { AuditedOperation } from './audited-operations';
import { targetOf, valueIn } from './target';

const MOST_USER_AGENT = 200;
const MOST_ID = 255;

/** What became of a call. */
export type CallOutcome = Pick<AuditFields, 'outcome' | 'status' | 'code'>;

/** The row of a call. @param orgId of its organization */
export function rowOfCall(
  request: IncomingMessage,
  { action, template }: AuditedOperation,
  { outcome, status, code }: CallOutcome,
  orgId: string | null,
): AuditFields {
  return {
    org_id: orgId,
    entry_id: newId(),
    at: new Date().toISOString(),
    actor: actorOf(request),
    action,
    target: notedTarget.of(request) ?? shown(readOfOthers.of(request)) ?? targetOf(template, urlOf(request)),
    changes: null,
    outcome,
    status,
    code,
    request_id: request.id,
    personal: { address: clientAddress(request), user_agent: userAgentOf(request) },
  };
}

/** The organization that the path of a call names, whether there is one or not; null for none. */
export function namedOrganization(request: IncomingMessage, template: string): string | null {
  return parseUuid(valueIn(template, urlOf(request), 'org_id') ?? '');
}

/** The organization that a call is certainly in; null where only its user is known, or nobody. @param isDone whether it succeeded */
export function organizationOf(request: IncomingMessage, template: string, isDone: boolean): string | null {
  const { caller, sandbox, directory, org, reachedOrgId, isOtherService } = requestIdentity(request);
  if (isOtherService === true) return isDone ? namedOrganization(request, template) : null;
  const likeliest = [
    org?.orgId,
    reachedOrgId,
    directory?.orgId,
    readOfOthers.of(request)?.orgId,
    notedOrganization(request),
    caller?.boundOrgId,
    sandbox?.orgId,
    notedActor.of(request)?.orgId,
  ];
  return likeliest.find((each) => typeof each === 'string') ?? null;
}

/** The organization that the user of a call is in otherwise, if they are still a member; null for none. */
export function currentOrganizationOf(request: IncomingMessage): string | null {
  return requestIdentity(request).caller?.currentOrgId ?? null;
}

/** The undecoded target of a request. */
function urlOf(request: IncomingMessage): string {
  const original: unknown = 'originalUrl' in request ? request.originalUrl : undefined;
  return typeof original === 'string' ? original : (request.url ?? '');
}

function actorOf(request: IncomingMessage): AuditFields['actor'] {
  const { caller, sandbox, directory, isOtherService } = requestIdentity(request);
  if (caller !== undefined)
    return {
      kind: kindOf(caller) === 'person' ? 'user' : 'service_account',
      user_id: caller.userId,
      key_prefix: caller.sessionId === undefined ? (caller.keyPrefix ?? null) : null,
      session: caller.sessionId !== undefined,
    };
  const nobody = { user_id: null, key_prefix: null, session: false };
  if (sandbox !== undefined) return { ...nobody, kind: 'sandbox', user_id: sandbox.createdByUserId };
  if (directory !== undefined) return { ...nobody, kind: 'directory', key_prefix: directory.tokenPrefix };
  if (isOtherService === true) return { ...nobody, kind: 'service' };
  const noted = notedActor.of(request);
  if (noted === undefined) return { ...nobody, kind: 'unknown' };
  return { kind: 'user', user_id: noted.userId, key_prefix: null, session: noted.session };
}

function shown(read: { readonly type: string; readonly id: string } | undefined) {
  return read === undefined ? undefined : { type: read.type, id: read.id.slice(0, MOST_ID) };
}

function userAgentOf({ headers }: IncomingMessage): string | null {
  const sent = headers['user-agent'];
  return sent === undefined ? null : storableText(sent).slice(0, MOST_USER_AGENT).toWellFormed();
}
