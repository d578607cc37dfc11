import { z } from 'zod';
import { RETENTION_KINDS, type RetentionKind } from '../kinds/retention-kinds';

/** How many of a kind were removed, of how many bytes, as far as these are known. */
export interface RemovedOfKind {
  readonly items: number;
  readonly bytes: number;
}

/** What was removed, by kind; those of which nothing was are left out. */
export type Removed = Readonly<Partial<Record<RetentionKind, RemovedOfKind>>>;

export const NOTHING: RemovedOfKind = { items: 0, bytes: 0 };

/** What is stored of a run that was interrupted. */
export const removedSchema = z.partialRecord(
  z.enum(RETENTION_KINDS),
  z.object({ items: z.number(), bytes: z.number() }),
);

/** Adds what was removed of a kind. */
export function withRemoved(removed: Removed, kind: RetentionKind, { items, bytes }: RemovedOfKind): Removed {
  const before = removed[kind] ?? NOTHING;
  return { ...removed, [kind]: { items: before.items + items, bytes: before.bytes + bytes } };
}
