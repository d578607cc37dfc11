import type { ResponseItem } from '../../../kernel/http';

/** An event as it is stored: its JSON text is what was received. */
export interface StoredEvent {
  readonly id: string;
  readonly payload: string;
}

/** An event with the size of its text, which is read later where it is not there. */
export interface SizedEvent extends ResponseItem {
  readonly id: string;
}
