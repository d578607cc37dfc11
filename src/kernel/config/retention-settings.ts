import { z } from 'zod';

/** The most days for which anything is kept before it goes: a hundred years. */
export const MOST_RETENTION_DAYS = 36_500;

const days = z.coerce.number('must be a number').int().min(1).max(MOST_RETENTION_DAYS);

/** For how many days what is kept without activity, where an organization does not decide itself (docs/retention.md). */
export const retentionSettings = {
  RETENTION_EVENTS_DAYS: days
    .optional()
    .describe(
      'Days without activity after which the events of a conversation are removed, where its organization does not decide. Without it they stay.',
    ),
  RETENTION_CONVERSATIONS_DAYS: days
    .optional()
    .describe('The same for conversations, with all that is theirs. Without it they stay.'),
  RETENTION_MESSAGES_DAYS: days
    .optional()
    .describe(
      'The same for queued messages, after they were delivered or failed. Default: what `DELIVERED_DAYS` says.',
    ),
  RETENTION_DELIVERIES_DAYS: days
    .default(7)
    .describe('The same for deliveries to webhooks, after they were made or failed.'),
  RETENTION_ARCHIVES_DAYS: days
    .optional()
    .describe(
      'Days without use after which what a paused sandbox keeps is deleted, where its organization does not decide. Without it that stays.',
    ),
};
