/** An event as it is stored: its JSON text is what was received. */
export interface StoredEvent {
  readonly id: string;
  readonly payload: string;
}
