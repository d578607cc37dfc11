import { WantedText } from '../../../../kernel/common';
import { hasPart, hasPartIndexed } from '../../../../kernel/database';
import type { SandboxStatus } from '../../../../sandboxes/sandboxes';
import { wantedTags } from '../../listed/tags-filter';
import { hasCounters, isOfStatusAlone } from './list-filters';
import { countedTotal } from './list-totals.query';
import { SHOWN_SANDBOX_STATUS } from './org-conversation.read-model';
import { OrgConversationsExport, type OrgConversationsFilter } from './org-conversations.dto';

/** The filters of a list as parts of SQL. */
export interface ListCondition {
  /** The FROM clause: conversations as `c`, and the joins that the filters need. */
  readonly from: string;
  /** Conditions that exclude each other: a conversation meets one of them at most. */
  readonly branches: readonly string[];
  readonly parameters: readonly unknown[];
  /** The exact total by counters, as an expression; null when they do not cover the filters. */
  readonly counted: string | null;
  /** Whether conversations of one status of sandboxes are wanted and nothing else is, which counters have apart. */
  readonly isOfStatusAlone: boolean;
  /** The status of the sandbox that is left to the page; null when the query filters by it, or nothing does. */
  readonly statusOfPage: SandboxStatus | null;
}

const DAYS = { all: null, '7d': 7, '30d': 30, '90d': 90 } as const;
const DAY_MS = 86_400_000;

/** Texts that can be part of a sandbox id. */
const PART_OF_ID = /^[0-9a-f-]{1,36}$/i;

/** The moment a time window begins, or null when it has no beginning. */
export function windowStart(window: OrgConversationsFilter['time_window'], now: Date): Date | null {
  const days = DAYS[window];
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/**
 * Reads a filter as SQL; `$1` is the organization. By hand because each place of a search is read from its own index,
 * those of creators and sandboxes too (docs/decisions/0009-sql-by-hand.md).
 * @param inQuery whether `sandbox_status` filters in the query; otherwise it is left to the page
 */
export function listCondition(
  orgId: string,
  given: OrgConversationsExport,
  now: Date,
  inQuery: boolean,
): ListCondition {
  const filter = inQuery
    ? given
    : Object.assign(new OrgConversationsExport(), given, { sandbox_status: null });
  const parameters: unknown[] = [orgId];
  const parameter = (value: unknown): string => `$${parameters.push(value)}`;
  const isCounted = hasCounters(filter);
  const moment = windowStart(filter.time_window, now);
  const value = moment !== null && isCounted ? hidden : shown;
  const start = moment === null ? null : value(parameter(moment.toISOString()), 'timestamptz');
  const org = value('$1', 'uuid');
  const common = [`c.org_id = ${org}`, 'c.deleted_at IS NULL'];
  if (!filter.include_sub_conversations) common.push('c.parent_conversation_id IS NULL');
  const ofStatus = [...new Set(filter.execution_status)];
  const statuses = ofStatus.length === 0 ? null : value(parameter(ofStatus), 'text[]');
  if (statuses !== null) common.push(`c.execution_status = ANY (${statuses})`);
  if (start !== null) common.push(`c.created_at >= ${start}`);
  for (const tag of wantedTags(filter.tags)) common.push(`c.tags @> ${parameter(tag)}::jsonb`);
  const ofSandbox = sandboxConditions(filter.sandbox_status, parameter);
  common.push(...ofSandbox);
  const wanted = WantedText.of(filter.search);
  const base = common.join(' AND ');
  return {
    from: `conversations c${ofSandbox.length > 0 ? ' LEFT JOIN sandboxes s ON s.id = c.sandbox_id' : ''}`,
    branches:
      wanted === null ? [base] : searchBranches(wanted, parameter).map((branch) => `${base} AND ${branch}`),
    parameters,
    counted: isCounted
      ? countedTotal(org, {
          execution_status: statuses,
          time_window: start,
          include_sub_conversations: filter.include_sub_conversations,
        })
      : null,
    isOfStatusAlone: isOfStatusAlone(filter),
    statusOfPage: inQuery ? null : given.sandbox_status,
  };
}

function shown(parameter: string, type: string): string {
  return `${parameter}::${type}`;
}

/** A parameter whose value the planner does not see: it would go on planning for each. */
function hidden(parameter: string, type: string): string {
  // The type outside: an array would be a subquery to ANY.
  return `(SELECT ${parameter}::${type})::${type}`;
}

/** Of a conversation `c` and its sandbox `s`. */
function sandboxConditions(status: SandboxStatus | null, parameter: (value: unknown) => string): string[] {
  if (status === null) return [];
  const isShown = `${SHOWN_SANDBOX_STATUS} = ${parameter(status)}`;
  // Those that run are few, and an index has them, which the planner finds by what follows from the condition.
  return status === 'RUNNING' ? [isShown, `s.status = 'RUNNING'`] : [isShown];
}

/**
 * The places a text can be found in. Where an index can look for it each place is a branch of its own, so
 * that each is read from its own index; else all are one scan of every conversation of the organization.
 */
function searchBranches(wanted: WantedText, parameter: (value: unknown) => string): string[] {
  const mayBeId = PART_OF_ID.test(wanted.text);
  if (!wanted.isIndexed) {
    const part = parameter(wanted.text);
    const creators = `(SELECT id FROM users WHERE ${hasPart('name', part)} OR ${hasPart('email', part)})`;
    const inId = mayBeId ? ` OR position(lower(${part}) in c.sandbox_id::text) > 0` : '';
    return [`(c.created_by_user_id IN ${creators} OR ${hasPart('c.title', part)}${inId})`];
  }
  const pattern = parameter(wanted.inPattern);
  const inTitle = hasPartIndexed('c.title', pattern);
  const creators = `(SELECT id FROM users WHERE ${hasPartIndexed('name', pattern)} OR ${hasPartIndexed('email', pattern)})`;
  const notInTitle = `NOT coalesce(${inTitle}, false)`;
  const sandboxes = `c.sandbox_id IN (SELECT id FROM sandboxes WHERE id::text LIKE '%' || search_text(${pattern}) || '%')`;
  return [
    inTitle,
    `c.created_by_user_id IN ${creators} AND ${notInTitle}`,
    ...(mayBeId ? [`${sandboxes} AND ${notInTitle} AND c.created_by_user_id NOT IN ${creators}`] : []),
  ];
}
