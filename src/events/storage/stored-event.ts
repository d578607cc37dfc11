/** An event as it is stored: its JSON text is what was received. */
export interface StoredEvent {
  readonly id: string;
  readonly payload: string;
}

/** An event with the size of its text, which is read later where it is not there. */
export interface SizedEvent {
  readonly id: string;
  readonly bytes: number;
  readonly payload: string | null;
}
