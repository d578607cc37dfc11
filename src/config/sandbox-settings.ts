import { z } from 'zod';
import { parseUuid } from '../common';
import { httpUrl, optionalText } from './setting-types';

/** Where sandboxes run. */
export const sandboxSettings = {
  SANDBOX_DRIVER: z
    .string()
    .default('embedded')
    .describe(
      'Where sandboxes run: `embedded` for trying out, `process` for the real agent server, `external` for one that runs already; or a driver from outside.',
    ),
  SANDBOX_ISOLATION: z
    .enum(['users', 'none'])
    .default('users')
    .describe(
      'What separates sandboxes of the `process` driver: `users`, for which the service has to run as root; `none` lets them run as the user of the service, which is for people who trust each other.',
    ),
  AGENT_SERVER_COMMAND: z
    .string()
    .default('agent-server')
    .describe('What the `process` driver starts, one per sandbox.'),
  AGENT_SERVER_URL: httpUrl
    .refine(isPlainAddress, 'must carry no user, password or query: callers see it')
    .optional()
    .describe('The server of the `external` driver, as the service and callers reach it.'),
  AGENT_SERVER_API_KEY: optionalText.describe('The key of the `external` server.'),
  EXTERNAL_ORG_ID: optionalText
    .refine((text) => text === undefined || text === '*' || parseUuid(text) !== null, 'must be a UUID or *')
    .describe('The organization that the `external` server serves; `*` for all. Default: the bootstrap one.'),
};

/** Whether a URL has no user, password, query or fragment. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return true; // reported by another check
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}
