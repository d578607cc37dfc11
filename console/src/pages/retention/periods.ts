import type { Schemas } from '../../api/client';
import { count, texts } from '../../text';

export type Periods = Schemas['RetentionResponse'];
export type Kind = Schemas['RetentionPreview']['what'];

/** What has a period, what matters most first. */
export const KINDS = [
  'conversations',
  'events',
  'archives',
  'messages',
  'deliveries',
] as const satisfies Kind[];

/** The field that has the period. */
export function fieldOf<K extends Kind>(kind: K): `${K}_days` {
  return `${kind}_days`;
}

/** A period in words. @param days null for ever */
export function period(days: number | null): string {
  return days === null ? texts.retention.forEver : count(days, texts.retention.days);
}
