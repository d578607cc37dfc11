import { settingsOf } from 'org-conversation-service';
import { z } from 'zod';

/** Read from the environment with those of the service. */
export const acmeSettings = z.object({
  ACME_BADGE_SECRET: z.string().min(16).optional().describe('Signs badges; without it, nobody has one.'),
  ACME_OUTBOX: z.string().default('outbox').describe('The folder that emails are sent from.'),
});

export type AcmeSettings = z.infer<typeof acmeSettings>;

/** Injects {@link AcmeSettings}. */
export const ACME_SETTINGS = settingsOf('acme');
