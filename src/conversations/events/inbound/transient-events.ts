import { Injectable } from '@nestjs/common';
import { isRecord } from '../../../kernel/common';

/** The kind of events that a model's answer comes in while it is written; they are passed on and never stored. */
export const TRANSIENT_KIND = 'StreamingDeltaEvent';

/** Hears the transient events of a conversation, as JSON texts. */
export type TransientListener = (conversationId: string, events: readonly string[]) => void;

/** Passes on what agent servers tell and nobody stores (docs/contract.md#what-is-stored). */
@Injectable()
export class TransientEvents {
  private readonly listeners: TransientListener[] = [];

  /** Calls back for transient events; must be quick. */
  onArrival(listener: TransientListener): void {
    this.listeners.push(listener);
  }

  /** Passes on some transient events of a conversation, in their order. */
  pass(conversationId: string, events: readonly string[]): void {
    if (events.length > 0) for (const listener of this.listeners) listener(conversationId, events);
  }
}

/** Whether the JSON text of an event is one that is passed on only. */
export function isTransient(text: string): boolean {
  if (!text.includes(TRANSIENT_KIND)) return false;
  try {
    const event: unknown = JSON.parse(text);
    return isRecord(event) && event.kind === TRANSIENT_KIND;
  } catch {
    return false;
  }
}
