import { z } from 'zod';
import { field, serial } from './event-fields';

/** The fields of what is about to be removed, of one kind (docs/retention.md#the-warning). */
export const dueFields = {
  what: field(z.enum(['events', 'conversations', 'archives']), 'What.', 'conversations'),
  days: serial('After how many days without activity.', 90),
  items: serial('How many.', 12),
  bytes: field(z.number().nullable(), 'Of how many bytes; null where that is not known.', 4_200_000),
  oldest_at: field(z.iso.datetime(), 'When the oldest was last active.', '2026-07-02T08:00:00.000Z'),
  newest_at: field(z.iso.datetime(), 'When the newest was.', '2026-08-28T17:45:00.000Z'),
};
