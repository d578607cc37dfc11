import { z } from 'zod';
import { commaList, hardToGuess, httpUrl, oneOf, optionalText } from './setting-types';

const FOR_A_SHORT_KEY =
  ', for example what `openssl rand -base64 32` prints; a shorter one that was in use goes into SECRET_KEYS_OLD';

const originList = commaList.refine(
  (origins) => origins.every(isOrigin),
  'must be origins such as https://app.example.com, separated by commas; * is none',
);

/** A number of processes of one machine. */
const workers = z
  .union(
    [z.literal('auto'), z.coerce.number().int().min(1).max(256)],
    'must be a number from 1 to 256, or auto',
  )
  .default(1);

/** Loopback, but not where the web interface is: browsers send cookies to all ports of a host name. */
const ownLoopback = process.platform === 'linux' ? '127.77.0.1' : '127.0.0.1';

/** Addresses, storage, keys and the first user. */
export const serviceSettings = {
  PORT: z.coerce
    .number('must be a number')
    .int()
    .min(0)
    .max(65535)
    .default(3000)
    .describe('Port the API listens on.'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on.'),
  PUBLIC_URL: httpUrl
    .optional()
    .describe('How people reach the service. Default: `http://$HOST:$PORT`, with `127.0.0.1` for `0.0.0.0`.'),
  WEB_UI: oneOf(['on', 'off'])
    .default('on')
    .describe(
      '`on` has people sign in, and serves the web interface at `/` where `npm run web:install` has installed it; `off` does neither.',
    ),
  AUDIT_LOG: oneOf(['on', 'off'])
    .default('on')
    .describe(
      '`on` keeps a row of who has done what, and of what was refused (docs/audit-log.md); `off` keeps none, and looks at no request.',
    ),
  CORS_ORIGINS: originList.describe(
    'Origins, comma-separated, whose pages may call the service and the agent servers that it starts, with a key in a header; cookies are taken from none of them.',
  ),
  CALLBACK_URL: httpUrl.optional().describe('How sandboxes reach the service. Default: `PUBLIC_URL`.'),
  CALLBACK_PORT: z.coerce
    .number('must be a number')
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe(
      'Second port the API listens on, for sandboxes: no [session](sandboxes.md#calls-of-sandboxes) counts there. Where `CALLBACK_URL` leads to loopback, sandboxes in namespaces of their own are led there without it, to a port that is chosen and kept; elsewhere `CALLBACK_URL` has to name it.',
    ),
  SANDBOX_HOST: z
    .string()
    .default(ownLoopback)
    .describe(
      'Address agent servers listen on; `127.0.0.1` by default where the system is not Linux. Callers are told no address at the host name of `PUBLIC_URL`, which would get its cookies: they are told the door there.',
    ),
  SANDBOX_PUBLIC_URL: optionalText.describe(
    'How callers reach an agent server; `{port}` is its port. Default: `http://$SANDBOX_HOST:{port}`, with `127.0.0.1` for `0.0.0.0`.',
  ),
  DATABASE_URL: optionalText.describe(
    'Any PostgreSQL 14 or newer. Without it the service runs the PostgreSQL that it brings along, in `DATA_DIR`.',
  ),
  DATABASE_DIRECT_URL: optionalText.describe(
    'The same database without the pooler that `DATABASE_URL` leads to, for what needs a session of its own: migrations, jobs, notifications, the organization list. Default: `DATABASE_URL`.',
  ),
  MIGRATION_DATABASE_URL: optionalText.describe(
    'The same database as the [role that owns the schema](operations.md#two-roles-of-the-database), for migrations; the role of `DATABASE_URL` is given what the service needs, and cannot change the audit log. Default: the role of `DATABASE_URL` does both.',
  ),
  AUDIT_LOG_DAYS: z.coerce
    .number('must be a number')
    .int()
    .min(30)
    .max(36_500)
    .default(400)
    .describe('Days that rows of the audit log are kept, 30 at least; the seals of what has gone stay.'),
  DATA_DIR: z.string().default('.data').describe('Folder of what the embedded parts keep.'),
  EXTENSIONS: commaList.describe(
    'Files of [extensions](extending.md), comma-separated, each with one as its default export.',
  ),
  APP_ROLE: oneOf(['all', 'api', 'worker'])
    .default('all')
    .describe('`api` answers requests, `worker` runs background jobs, `all` does both.'),
  WORKERS: workers.describe(
    'Processes that [answer requests at one port](scaling.md#all-cores-of-a-machine); `auto` for one per core.',
  ),
  SECRET_KEY: hardToGuess(FOR_A_SHORT_KEY).describe(
    'Encrypts sandbox keys and secrets at rest; at least 32 characters, ten of them distinct. Without `DATABASE_URL` one is made and kept under `DATA_DIR`; with it, required.',
  ),
  SECRET_KEYS_OLD: commaList.describe(
    'Earlier values of `SECRET_KEY`, comma-separated, still accepted for reading.',
  ),
  SERVICE_API_KEY: hardToGuess().describe(
    'What another service sends in `X-Service-API-Key` to get keys of members, as one for automations does; at least 32 characters, ten of them distinct. Without it there are none.',
  ),
  AUTOMATION_URL: httpUrl
    .optional()
    .describe(
      'Address of a service for automations: calls of members to `/api/automation/` are [passed on](web-interface.md#automations) to it, and the web interface shows automations. Without it there are none.',
    ),
  BOOTSTRAP_EMAIL: z
    .email('must be an e-mail address')
    .default('owner@localhost.example')
    .describe('E-mail address of the first user, made on an empty database.'),
  BOOTSTRAP_ORG: z.string().default('Default').describe('Name of the first organization.'),
  BOOTSTRAP_KEY: optionalText.describe('Key of the first user. Default: random, shown once.'),
};

/** Whether a text is the origin of a page, as browsers write it. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
