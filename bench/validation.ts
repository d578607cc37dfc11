/**
 * The cost of validating a request, in microseconds of CPU: parsing the body or the query, and producing the typed
 * values or the error body. Compared with checks written by hand for this one request (no coercions, no
 * explanations): the minimal work without any generality.
 *
 *   npm run bench -- validation [--seconds 1]
 */
import { Body, Controller, Param, Query } from '@nestjs/common';
import { AppSendMessageRequest } from '../src/conversations/conversations/send-message/send-message.dto';
import { InvitationCreate } from '../src/accounts/invitations/record/invite.dto';
import {
  boolean,
  commaList,
  Field,
  integer,
  oneOf,
  RequestPlans,
  string,
  uuid,
  type RequestPlan,
} from '../src/kernel/validation';
import { options } from './options';
import { report } from './report';

const { seconds: SECONDS } = options({ seconds: 1 });
const ROUNDS = 5;
const ID = '7b1f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e11';

class ListPath {
  @Field(uuid())
  org_id!: string;
}
class ListQuery {
  @Field(string(), { nullable: true })
  search: string | null = null;
  @Field(oneOf(['created_at', 'updated_at', 'llm_model', 'accumulated_cost', 'title']))
  sort_by = 'updated_at';
  @Field(oneOf(['desc', 'asc']))
  sort_order = 'desc';
  @Field(commaList(oneOf(['idle', 'running', 'paused', 'finished', 'error', 'stuck'])))
  execution_status: string[] = [];
  @Field(oneOf(['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING']), { nullable: true })
  sandbox_status: string | null = null;
  @Field(oneOf(['all', '7d', '30d', '90d']))
  time_window = 'all';
  @Field(integer({ ge: 1 }))
  page = 1;
  @Field(integer({ ge: 1, le: 100 }))
  per_page = 20;
  @Field(boolean())
  include_sub_conversations = false;
}

@Controller()
class Measured {
  list(@Param() path: ListPath, @Query() query: ListQuery): unknown {
    return { path, query };
  }
  send(@Body() body: AppSendMessageRequest): unknown {
    return body;
  }
  invite(@Body() body: InvitationCreate): unknown {
    return body;
  }
}

interface Measurement {
  readonly name: string;
  readonly run: () => unknown;
}

const LIST =
  'search=login&sort_by=created_at&sort_order=asc&execution_status=idle,running&page=3&per_page=50&include_sub_conversations=true';
const MESSAGE = Buffer.from(
  JSON.stringify({
    role: 'user',
    content: [{ type: 'text', text: 'Please fix the failing test. '.repeat(8) }],
    run: true,
  }),
);
const EMAILS = Buffer.from(
  JSON.stringify({
    emails: Array.from({ length: 100 }, (_, index) => `person.${index}@team-${index % 7}.example.com`),
    role: 'member',
  }),
);
const BAD_EMAILS = Buffer.from(
  JSON.stringify({ emails: Array.from({ length: 100 }, (_, index) => `person ${index}@example.com`) }),
);

function throughPlan(handler: keyof Measured, body: Buffer | undefined, params = {}, rawQuery = ''): unknown {
  const plan: RequestPlan = RequestPlans.for(Measured, handler);
  const parsed = body && plan.parseBody(body, 'application/json');
  const checked = plan.check({ params, rawQuery, headers: {}, body: parsed });
  return checked.issues.length > 0 ? plan.error(checked.issues).toJsonText() : checked.values;
}

function listByHand(): unknown {
  const query = new URLSearchParams(LIST);
  const page = Number(query.get('page') ?? 1);
  const perPage = Number(query.get('per_page') ?? 20);
  const statuses = query.get('execution_status')?.split(',') ?? [];
  if (!/^[0-9a-f-]{36}$/.test(ID) || page < 1 || perPage < 1 || perPage > 100) throw new Error('invalid');
  if (!['created_at', 'updated_at', 'title'].includes(query.get('sort_by') ?? '')) throw new Error('invalid');
  if (!statuses.every((status) => ['idle', 'running', 'paused'].includes(status))) throw new Error('invalid');
  return { page, perPage, statuses, search: query.get('search'), order: query.get('sort_order') };
}

function messageByHand(): unknown {
  const message: unknown = JSON.parse(MESSAGE.toString('utf8'));
  if (!listIn(message, 'content').every((block) => typeof block === 'object')) throw new Error('invalid');
  return message;
}

function emailsByHand(): unknown {
  const batch: unknown = JSON.parse(EMAILS.toString('utf8'));
  const isEmail = (value: unknown): boolean => /^[^@\s]+@[^@\s]+\.[a-z]+$/.test(String(value));
  if (!listIn(batch, 'emails').every(isEmail)) throw new Error('invalid');
  return batch;
}

function listIn(body: unknown, key: string): readonly unknown[] {
  const list: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  if (!Array.isArray(list)) throw new Error('invalid');
  return list;
}

const measurements: readonly Measurement[] = [
  { name: 'list query', run: () => throughPlan('list', undefined, { org_id: ID }, LIST) },
  { name: 'list query, by hand', run: listByHand },
  { name: 'send-message', run: () => throughPlan('send', MESSAGE) },
  { name: 'send-message, by hand', run: messageByHand },
  { name: '100 valid e-mails', run: () => throughPlan('invite', EMAILS) },
  { name: '100 valid e-mails, by hand', run: emailsByHand },
  { name: '422 with 100 errors', run: () => throughPlan('invite', BAD_EMAILS) },
];

/** Microseconds of CPU per call, in the best round. */
function measure({ run }: Measurement): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const until = performance.now() + (SECONDS * 1000) / ROUNDS;
    let calls = 0;
    for (; performance.now() < until; calls += 20) for (let i = 0; i < 20; i++) run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / calls);
  }
  return Math.round(best * 10) / 10;
}

for (const measurement of measurements) measure(measurement);
const microseconds = Object.fromEntries(measurements.map((one) => [one.name, measure(one)]));
report('validation', { secondsEach: SECONDS, microseconds });
