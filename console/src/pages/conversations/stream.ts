import { api, BASE, bodyOf } from '../../api/client';
import { ApiError } from '../../api/api-error';
import type { operations } from '../../api/schema';
import { fieldsOf } from './event-text';

type NewsType = NonNullable<
  NonNullable<operations['streamOrganizationEvents']['parameters']['query']>['type']
>[number];

/** What the service tells the creator of a conversation beside its events. */
const NEWS = [
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
  'conversation.status_changed',
  'conversation.stopped',
  'start_task.status_changed',
  'sandbox.status_changed',
  'message.queued',
  'message.delivered',
  'message.failed',
] as const satisfies NewsType[];

/** How far a stream is: `resting` while nobody looks; `ended` for good. */
export type LiveState =
  | { readonly is: 'connecting' | 'live' | 'waiting' | 'resting' }
  | { readonly is: 'ended'; readonly reason: string };

/** What a stream tells. */
export interface StreamListener {
  onState(state: LiveState): void;
  /** The stream has begun, or cannot: what was before it is to be read. Not where it goes on where it was cut off. */
  onBegin(): void;
  onEvent(event: unknown): void;
  onNews(type: (typeof NEWS)[number]): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Follows the stream of a conversation (docs/streams.md), for as long as the page is seen: a browser has few connections for
 * all of its tabs. Each connection takes a ticket of its own.
 */
export class ConversationStream {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  /** The position that was reached; null before the first event. */
  private last: string | null = null;
  private hasTold = false;
  private isOver = false;
  /** Counts attempts: a ticket that comes for an earlier one is dropped. */
  private attempt = 0;

  constructor(
    private readonly conversationId: string,
    private readonly header: { readonly 'X-Org-Id': string },
    private readonly listener: StreamListener,
  ) {}

  open(): void {
    document.addEventListener('visibilitychange', this.look);
    if (document.hidden) this.look();
    else void this.connect();
  }

  close(): void {
    this.isOver = true;
    document.removeEventListener('visibilitychange', this.look);
    this.disconnect();
  }

  private readonly look = (): void => {
    if (this.isOver) return;
    this.disconnect();
    if (document.hidden) this.listener.onState({ is: 'resting' });
    else void this.connect();
  };

  private disconnect(): void {
    this.attempt += 1;
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private async connect(): Promise<void> {
    const attempt = ++this.attempt;
    this.listener.onState({ is: 'connecting' });
    try {
      const params = { path: { conversation_id: this.conversationId }, header: this.header };
      const { ticket } = await bodyOf(
        api.POST('/api/v1/conversation/{conversation_id}/events/stream-ticket', { params }),
      );
      if (attempt === this.attempt) this.listen(ticket);
    } catch (error) {
      if (attempt !== this.attempt) return;
      this.beginWithout();
      const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isRefused) this.end('refused');
      else this.comeBack();
    }
  }

  private listen(ticket: string): void {
    const query = new URLSearchParams({ ticket, ...(this.last !== null && { after: this.last }) });
    const path = `/api/v1/conversation/${encodeURIComponent(this.conversationId)}/events/stream`;
    const source = new EventSource(`${BASE}${path}?${query.toString()}`);
    this.source = source;
    let hasBegun = false;
    source.onopen = () => {
      hasBegun = true;
      this.pauseMs = FIRST_PAUSE_MS;
      this.listener.onState({ is: 'live' });
      if (this.last === null) this.begin();
    };
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      this.reach(lastEventId);
      this.listener.onEvent(parsed(data));
    };
    for (const type of NEWS)
      source.addEventListener(type, ({ lastEventId }) => {
        this.reach(lastEventId);
        this.listener.onNews(type);
      });
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      const { reason, resumable } = fieldsOf(parsed(data));
      // An ended session is asked for with the next ticket.
      if (resumable !== true && reason !== 'credential_ended') this.end(String(reason));
    });
    source.onerror = () => {
      if (this.isOver) return;
      if (!hasBegun) {
        this.beginWithout();
        // A position that the service does not know any more keeps a stream from beginning, as other things do.
        this.last = null;
      }
      this.comeBack();
    };
  }

  private begin(): void {
    this.hasTold = true;
    this.listener.onBegin();
  }

  /** Without a stream, what is there is shown nevertheless. */
  private beginWithout(): void {
    if (!this.hasTold) this.begin();
  }

  private reach(position: string): void {
    if (position !== '') this.last = position;
  }

  /** The ticket is spent, so the browser's own way of coming back is of no use. */
  private comeBack(): void {
    this.disconnect();
    this.listener.onState({ is: 'waiting' });
    this.timer = setTimeout(() => void this.connect(), this.pauseMs * (1 + Math.random()));
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  private end(reason: string): void {
    this.close();
    this.listener.onState({ is: 'ended', reason });
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
