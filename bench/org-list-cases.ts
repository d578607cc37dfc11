/** The requests that are measured, and the queries that the service runs for each. */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { Clock } from '../src/kernel/common';
import { listCondition } from '../src/conversations/conversations/org-list/list/list-condition.read-model';
import { OrgConversationsQuery } from '../src/conversations/conversations/org-list/list/org-conversations.dto';
import {
  type ListQueryOptions,
  OrgListDatabase,
} from '../src/conversations/conversations/org-list/database/org-list-database';
import { OrgListService } from '../src/conversations/conversations/org-list/list/org-list.service';
import type { SandboxReader } from '../src/sandboxes/sandboxes';
import { quantile } from './org-list-load';

const caseSchema = z.object({
  path: z.string(),
  statements: z.array(
    z.object({ sql: z.string(), parameters: z.array(z.unknown()), name: z.string().optional() }),
  ),
});

/** The message with the cases for the bare server. */
export const bareCasesSchema = z.object({ databaseUrl: z.string(), cases: z.array(caseSchema) });

/** One request path of the list with the queries behind it. */
export type BareCase = z.infer<typeof caseSchema>;

/** The queries to measure in each organization, by name. */
export function casesFor(conversations: number): Readonly<Record<string, Partial<OrgConversationsQuery>>> {
  const lastPage = Math.max(1, Math.ceil(conversations / 20));
  const middlePage = Math.max(1, Math.round(lastPage / 2));
  const sorts = (['created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title'] as const).flatMap(
    (sort_by) =>
      (['desc', 'asc'] as const).map(
        (sort_order) => [`sort ${sort_by} ${sort_order}`, { sort_by, sort_order }] as const,
      ),
  );
  return {
    default: {},
    'per_page=100': { per_page: 100 },
    'execution_status=finished': { execution_status: ['finished'] },
    'execution_status=stuck': { execution_status: ['stuck'] },
    'time_window=7d': { time_window: '7d' },
    'time_window=30d': { time_window: '30d' },
    'time_window=90d': { time_window: '90d' },
    'with sub-conversations': { include_sub_conversations: true },
    'sandbox_status=RUNNING': { sandbox_status: 'RUNNING' },
    ...Object.fromEntries(sorts),
    'middle page': { page: middlePage },
    'middle page by title': { page: middlePage, sort_by: 'title' },
    'middle page by llm_model': { page: middlePage, sort_by: 'llm_model' },
    'last page': { page: lastPage },
    'last page by title': { page: lastPage, sort_by: 'title' },
    'search rare word': { search: 'xylophone' },
    'search common word': { search: 'refund' },
    'search one letter': { search: 'a' },
    'search two letters': { search: 'qz' },
    ...Object.fromEntries(
      (['RUNNING', 'STARTING', 'PAUSED', 'ERROR', 'MISSING'] as const).map((sandbox_status) => [
        `sandbox_status=${sandbox_status}, accurate`,
        { sandbox_status, accurate_totals: true },
      ]),
    ),
  };
}

/** The path of a request. */
export function pathOf(orgId: string, query: Partial<OrgConversationsQuery>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return `/api/organizations/${orgId}/conversations?${parameters.toString()}`;
}

class RecordingDatabase extends OrgListDatabase {
  statements: BareCase['statements'] = [];

  override rows<Row extends object>(
    sql: string,
    parameters: readonly unknown[],
    options: ListQueryOptions = {},
  ): Promise<Row[]> {
    const name = options.samePlan
      ? { name: createHash('sha256').update(sql).digest('hex').slice(0, 32) }
      : {};
    this.statements.push({ sql, parameters: [...parameters], ...name });
    return super.rows(sql, parameters, options);
  }
}

const NO_ADDRESSES: Pick<SandboxReader, 'conversationBaseOf'> = { conversationBaseOf: () => null };

/** The same cases with every statement parsed and planned for each request. */
export function unprepared(cases: readonly BareCase[]): BareCase[] {
  return cases.map(({ path, statements }) => ({
    path,
    statements: statements.map(({ sql, parameters }) => ({ sql, parameters })),
  }));
}

/** The queries that the service sends for each request; what it refuses, for the time that it takes, has none. */
export async function record(
  dataSource: DataSource,
  orgId: string,
  queries: Readonly<Record<string, Partial<OrgConversationsQuery>>>,
): Promise<BareCase[]> {
  const database = new RecordingDatabase(dataSource);
  const clock = new Clock();
  const service = new OrgListService(database, NO_ADDRESSES, clock);
  const cases: BareCase[] = [];
  for (const query of Object.values(queries)) {
    database.statements = [];
    const asked = Object.assign(new OrgConversationsQuery(), query);
    // The first one of all may read from the disk.
    const isAnswered = await service
      .list(orgId, asked)
      .catch(() => {
        database.statements = [];
        return service.list(orgId, asked);
      })
      .then(
        () => true,
        () => false,
      );
    if (isAnswered) cases.push({ path: pathOf(orgId, query), statements: database.statements });
  }
  await database.onApplicationShutdown();
  return cases;
}

/** How long each kind of total takes by itself; milliseconds, p50. */
export async function totalTimes(
  dataSource: DataSource,
  orgId: string,
  calls: number,
): Promise<Record<string, number>> {
  const database = new OrgListDatabase(dataSource);
  const clock = new Clock();
  const times: Record<string, number> = {};
  for (const [name, given] of Object.entries(TOTALS)) {
    const filter = Object.assign(new OrgConversationsQuery(), given);
    const taken: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      const began = performance.now();
      const { counted, parameters } = listCondition(orgId, filter, clock.now(), false);
      await database.rows(`SELECT ${counted} AS total`, parameters);
      taken.push(performance.now() - began);
    }
    times[name] = quantile(taken, 0.5);
  }
  await database.onApplicationShutdown();
  return times;
}

const TOTALS: Readonly<Record<string, Partial<OrgConversationsQuery>>> = {
  default: {},
  'with sub-conversations': { include_sub_conversations: true },
  'execution_status=finished': { execution_status: ['finished'] },
  'time_window=7d': { time_window: '7d' },
  'time_window=30d': { time_window: '30d' },
  'time_window=90d': { time_window: '90d' },
  'time_window=90d, execution_status=finished': { time_window: '90d', execution_status: ['finished'] },
};
