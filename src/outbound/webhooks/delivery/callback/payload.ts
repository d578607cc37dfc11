/** Less than what Standard Webhooks recommends as the most: 20 kB. */
export const MAX_BODY_BYTES = 20_000;

/** What a body is made of. */
export interface PayloadSource {
  readonly type: string;
  readonly occurredAt: Date;
  /** JSON of an object. */
  readonly data: string;
  /** The agent's event as it was received; undefined for other types, null when it is gone. */
  readonly event: string | null | undefined;
}

/** The body of a callback (docs/webhooks.md#delivery); an event that would make it too long is left out. */
export function bodyOf(source: PayloadSource): string {
  const { event } = source;
  if (event === undefined) return withData(source, source.data);
  const whole = withData(source, withEvent(source.data, event ?? 'null'));
  return Buffer.byteLength(whole) < MAX_BODY_BYTES ? whole : withData(source, withEvent(source.data, 'null'));
}

function withData({ type, occurredAt }: PayloadSource, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${occurredAt.toISOString()}","data":${data}}`;
}

function withEvent(data: string, event: string): string {
  return `${data.slice(0, -1)},"event":${event}}`;
}
