import type { DataSource } from 'typeorm';

/** Whose conversations they are. */
export interface Owner {
  readonly org_id: string;
  readonly created_by_user_id: string;
}

/** Inserts conversations that have ended, `Conversation 1` and so on, each newer than the one before. */
export async function storeManyConversations(db: DataSource, owner: Owner, count: number): Promise<void> {
  await db.query(
    `INSERT INTO conversations (id, org_id, created_by_user_id, start_state, title, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, 'ready', 'Conversation ' || n, at, at
       FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - ($3 - n) * interval '1 minute') time (at)`,
    [owner.org_id, owner.created_by_user_id, count],
  );
}

/**
 * Inserts events into a conversation before all that it has: a question, a tool call, its output and an answer, again
 * and again. The number of an event stands in its text.
 */
export async function storeLongConversation(db: DataSource, id: string, events: number): Promise<void> {
  const began = Date.now() - 3_600_000 - events * 1_000;
  const payloads = Array.from({ length: events }, (_, index) => {
    const timestamp = new Date(began + index * 1_000).toISOString().replace('Z', '000');
    return { id: `event-${index + 1}`, timestamp, ...eventOf(index + 1) };
  });
  await db.query(
    `INSERT INTO events (conversation_id, id, seq, kind, occurred_at, payload)
     SELECT $1, event ->> 'id', seq - $3::int, event ->> 'kind', (event ->> 'timestamp' || 'Z')::timestamptz, event::text
       FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS list (event, seq)`,
    [id, JSON.stringify(payloads), events],
  );
}

function eventOf(n: number): Record<string, unknown> {
  switch (n % 4) {
    case 1:
      return message('user', `Question ${n}`);
    case 2:
      return toolCall(n);
    case 3:
      return toolOutput(n);
    default:
      return message('agent', `Answer ${n}`);
  }
}

function message(source: 'user' | 'agent', text: string): Record<string, unknown> {
  const role = source === 'user' ? 'user' : 'assistant';
  return { kind: 'MessageEvent', source, llm_message: { role, content: said(text) } };
}

function toolCall(n: number): Record<string, unknown> {
  return {
    kind: 'ActionEvent',
    source: 'agent',
    thought: [],
    tool_name: 'terminal',
    security_risk: 'LOW',
    action: { kind: 'TerminalAction', command: `ls ${n}`, is_input: false, timeout: null, reset: false },
    tool_call_id: `call-${n}`,
    tool_call: { id: `call-${n}`, name: 'terminal', arguments: '{}', origin: 'completion' },
  };
}

function toolOutput(n: number): Record<string, unknown> {
  const content = said('a file among others\n'.repeat(40));
  return {
    kind: 'ObservationEvent',
    source: 'environment',
    tool_name: 'terminal',
    tool_call_id: `call-${n - 1}`,
    action_id: `event-${n - 1}`,
    observation: {
      kind: 'TerminalObservation',
      command: `ls ${n - 1}`,
      exit_code: 0,
      is_error: false,
      content,
    },
  };
}

function said(text: string): { type: string; text: string }[] {
  return [{ type: 'text', text }];
}
