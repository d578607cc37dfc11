import { appendFileSync, existsSync, mkdirSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { regularBytes } from '../../../kernel/common';

const storedEventSchema = z.looseObject({
  id: z.string(),
  timestamp: z.string(),
  source: z.string(),
  parent_id: z.string().nullable(),
  kind: z.string(),
});

/** An event with all its fields, nulls included. */
export type StoredEvent = z.infer<typeof storedEventSchema>;

/** Which events to find. */
export interface EventFilter {
  /** The whole Python path of the class, as the real agent server has it; short names find nothing. */
  readonly kind: string | null;
  readonly source: string | null;
  readonly body: string | null;
  readonly timestampGte: string | null;
  readonly timestampLt: string | null;
}

/** The classes behind the kinds that this server writes. */
const PYTHON_PATHS: Readonly<Record<string, string>> = {
  MessageEvent: 'openhands.sdk.event.llm_convertible.message.MessageEvent',
  SystemPromptEvent: 'openhands.sdk.event.llm_convertible.system.SystemPromptEvent',
  ConversationStateUpdateEvent: 'openhands.sdk.event.conversation_state.ConversationStateUpdateEvent',
  ConversationErrorEvent: 'openhands.sdk.event.conversation_error.ConversationErrorEvent',
  PauseEvent: 'openhands.sdk.event.user_action.PauseEvent',
  InterruptEvent: 'openhands.sdk.event.user_action.InterruptEvent',
};

const messageText = z.object({
  llm_message: z.object({ content: z.array(z.object({ text: z.string().optional() })) }),
});

/** The events of one conversation in order: in memory, and as JSON lines that survive the process. */
export class EventLog {
  private readonly events: StoredEvent[] = [];
  private readonly positions = new Map<string, number>();

  /** @param path of the file; null keeps the log in memory only */
  constructor(private readonly path: string | null) {
    if (path === null) return;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (existsSync(path)) this.load(path);
  }

  get length(): number {
    return this.events.length;
  }

  get last(): StoredEvent | undefined {
    return this.events.at(-1);
  }

  /** Adds an event; when this returns it survives `kill -9` of the process. */
  append(event: StoredEvent): void {
    if (this.path !== null) appendFileSync(this.path, `${JSON.stringify(event)}\n`, { mode: 0o600 });
    this.remember(event);
  }

  get(id: string): StoredEvent | undefined {
    const position = this.positions.get(id);
    return position === undefined ? undefined : this.events[position];
  }

  /** All events, oldest first. */
  all(): readonly StoredEvent[] {
    return this.events;
  }

  count(filter: EventFilter): number {
    return this.events.reduce((count, event) => (matches(event, filter) ? count + 1 : count), 0);
  }

  /** One page; an unknown page id is read as the start. */
  search(
    filter: EventFilter,
    page: { readonly pageId: string | null; readonly limit: number; readonly newestFirst: boolean },
  ): { items: StoredEvent[]; nextPageId: string | null } {
    const step = page.newestFirst ? -1 : 1;
    const natural = page.newestFirst ? this.events.length - 1 : 0;
    const start = (page.pageId === null ? undefined : this.positions.get(page.pageId)) ?? natural;
    const items: StoredEvent[] = [];
    for (let i = start; ; i += step) {
      const event = this.events[i];
      if (!event) return { items, nextPageId: null };
      if (!matches(event, filter)) continue;
      if (items.length === page.limit) return { items, nextPageId: event.id };
      items.push(event);
    }
  }

  private load(path: string): void {
    const bytes = regularBytes(path);
    const end = bytes.lastIndexOf('\n') + 1;
    // A process killed while it wrote leaves half a line, which was never acknowledged as stored.
    if (end < bytes.length) truncateSync(path, end);
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n')) {
      if (line !== '') this.remember(storedEventSchema.parse(JSON.parse(line)));
    }
  }

  private remember(event: StoredEvent): void {
    this.positions.set(event.id, this.events.length);
    this.events.push(event);
  }
}

function matches(event: StoredEvent, filter: EventFilter): boolean {
  if (filter.kind !== null && PYTHON_PATHS[event.kind] !== filter.kind) return false;
  if (filter.source !== null && event.source !== filter.source) return false;
  if (filter.timestampGte !== null && event.timestamp < filter.timestampGte) return false;
  if (filter.timestampLt !== null && event.timestamp >= filter.timestampLt) return false;
  return filter.body === null || textOf(event).toLowerCase().includes(filter.body.toLowerCase());
}

function textOf(event: StoredEvent): string {
  const message = messageText.safeParse(event);
  return message.success ? message.data.llm_message.content.map(({ text }) => text ?? '').join('\n') : '';
}
