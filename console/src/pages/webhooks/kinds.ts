import type { webhooks } from '../../api/schema';
import { type Values, wordsOf } from '../../parts/form';
import { texts } from '../../text';

/** What is sent only when somebody asks for it, whatever the filters. */
const TEST = 'webhook.test';

/** The kinds of domain events that callbacks are documented for; the build fails when one is missing or too many. */
const NAMES = {
  'conversation.created': true,
  'conversation.updated': true,
  'conversation.deleted': true,
  'conversation.status_changed': true,
  'conversation.stopped': true,
  'conversation.interrupted': true,
  'start_task.status_changed': true,
  'message.queued': true,
  'message.delivered': true,
  'message.failed': true,
  'sandbox.status_changed': true,
  'event.received': true,
  'invitation.created': true,
  'invitation.accepted': true,
  'member.added': true,
  'member.role_changed': true,
  'member.removed': true,
  'member.sign_in_link_created': true,
  'role.created': true,
  'role.updated': true,
  'role.deleted': true,
  'service_account.created': true,
  'service_account.updated': true,
  'service_account.deleted': true,
  'settings.updated': true,
  'identity_provider.created': true,
  'identity_provider.updated': true,
  'identity_provider.deleted': true,
  'identity_domain.added': true,
  'identity_domain.verified': true,
  'identity_domain.removed': true,
  'api_key.created': true,
  'api_key.revoked': true,
  'api_key.rotated': true,
  'api_key.reported': true,
  'webhook.created': true,
  'webhook.updated': true,
  'webhook.deleted': true,
  'webhook.disabled': true,
  'scim_token.created': true,
  'scim_token.revoked': true,
  'scim_group.role_changed': true,
  'retention.due': true,
  'budget.created': true,
  'budget.updated': true,
  'budget.deleted': true,
  'budget.soft_limit_reached': true,
  'budget.exhausted': true,
  'legal_hold.created': true,
  'legal_hold.lifted': true,
  'person.erased': true,
  'audit.recorded': true,
} satisfies Record<Exclude<keyof webhooks, typeof TEST>, true>;

/** What is sent to those who name it, and may read the audit log: not with everything else. */
const AUDIT = 'audit.recorded' satisfies keyof typeof NAMES;

/** Whether a pattern of kinds is of the audit log. */
export function isOfAuditLog(kind: string): boolean {
  return kind.startsWith('audit.');
}

/** The kinds to choose from, but for that of the audit log. */
export const KINDS: readonly string[] = Object.keys(NAMES).filter((kind) => kind !== AUDIT);

/** The filter that lets everything through. */
export const EVERYTHING = '*';

/**
 * What a form says of the kinds: everything, or those that are ticked and those that are written beside them; and whether rows of
 * the audit log are sent as well.
 */
export function kindsOf(value: Values, form: FormData): string[] {
  const audit = value('audit') === '' ? [] : [AUDIT];
  if (value('what') === 'everything') return [EVERYTHING, ...audit];
  return [...form.getAll('kind').map(String), ...wordsOf(value('other_kinds')), ...audit];
}

/** Kinds in words. */
export function kindTexts(kinds: readonly string[]): string[] {
  return kinds.map((kind) => (kind === EVERYTHING ? texts.webhooks.everything : kind));
}
