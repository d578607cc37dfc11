import { z } from 'zod';
import { parseUuid } from '../common';

const positive = (fallback: number) => z.coerce.number('must be a number').int().positive().default(fallback);
const perMinute = (fallback: number) =>
  z.coerce.number('must be a number').int().nonnegative().default(fallback);
const optionalText = z.string().min(1).optional();
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** A setting with JSON, checked against a schema. */
function json<Schema extends z.ZodType>(schema: Schema, fallback: string) {
  return z
    .string()
    .default(fallback)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not valid JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

const SHORT_KEY =
  'must have at least 32 characters, ten of them distinct, for example what `openssl rand -base64 32` prints; a shorter one that was in use goes into SECRET_KEYS_OLD';

function isHardToGuess(key: string | undefined): boolean {
  return key === undefined || (key.length >= 32 && new Set(key).size >= 10);
}

const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const originList = commaList.refine(
  (origins) => origins.every(isOrigin),
  'must be origins such as https://app.example.com, separated by commas; * is none',
);

const registration = z.object({
  name: z.string(),
  source: z.string(),
  ref: z.string().nullable().default(null),
  repo_path: z.string().nullable().default(null),
  auto_load: z.boolean().default(false),
});

const gitCredential = z.object({
  url_prefix: z.string().min(1),
  org_id: z.string().optional(),
  username: z.string(),
  password: z.string(),
});

/** The sandbox drivers that come with the service. */
export const SANDBOX_DRIVERS: readonly string[] = ['embedded', 'process', 'external'];

/** Every setting of the service: its name in the environment, its check, its default and its meaning. */
export const settingsSchema = z.object({
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
  WEB_UI: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      '`on` serves the web interface at `/` where `npm run web:install` has installed it, `off` never does.',
    ),
  CORS_ORIGINS: originList.describe(
    'Origins, comma-separated, whose pages may call the service and the agent servers that it starts, with a key in a header; cookies are taken from none of them.',
  ),
  CALLBACK_URL: httpUrl.optional().describe('How sandboxes reach the service. Default: `PUBLIC_URL`.'),
  SANDBOX_HOST: z.string().default('127.0.0.1').describe('Address agent servers listen on.'),
  SANDBOX_PUBLIC_URL: optionalText.describe(
    'How callers reach an agent server; `{port}` is its port. Default: `http://$SANDBOX_HOST:{port}`, with `127.0.0.1` for `0.0.0.0`.',
  ),
  DATABASE_URL: optionalText.describe(
    'Any PostgreSQL 14 or newer. Without it the service runs the PostgreSQL that it brings along, in `DATA_DIR`.',
  ),
  DATA_DIR: z.string().default('.data').describe('Folder of what the embedded parts keep.'),
  APP_ROLE: z
    .enum(['all', 'api', 'worker'])
    .default('all')
    .describe('`api` answers requests, `worker` runs background jobs, `all` does both.'),
  SECRET_KEY: optionalText
    .refine(isHardToGuess, SHORT_KEY)
    .describe(
      'Encrypts sandbox keys and secrets at rest; at least 32 characters, ten of them distinct. Without `DATABASE_URL` one is made and kept under `DATA_DIR`; with it, required.',
    ),
  SECRET_KEYS_OLD: commaList.describe(
    'Earlier values of `SECRET_KEY`, comma-separated, still accepted for reading.',
  ),
  BOOTSTRAP_EMAIL: z
    .email('must be an e-mail address')
    .default('owner@localhost.example')
    .describe('E-mail address of the first user, made on an empty database.'),
  BOOTSTRAP_ORG: z.string().default('Default').describe('Name of the first organization.'),
  BOOTSTRAP_KEY: optionalText.describe('Key of the first user. Default: random, shown once.'),
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
  LLM_MODEL: z.string().min(1).max(255).optional().describe('Model of conversations that name none.'),
  LLM_BASE_URL: httpUrl.optional().describe('Base address of an OpenAI-compatible API.'),
  LLM_API_KEY: optionalText.describe('Key for that API.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })
    .optional()
    .describe(
      'Outgoing mail, `smtp://user:password@host:port`, or `smtps:` for TLS from the start. Without it no mail is sent.',
    ),
  MAIL_FROM: optionalText.describe('Sender of outgoing mail.'),
  INSTANCE_MARKETPLACES: json(z.array(registration), '[]').describe(
    'Marketplace registrations of scope `instance`, a JSON array.',
  ),
  GIT_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, exempt from the public-address and https rules of marketplaces, clones and git searches: http is allowed there. Addresses of ssh and git are never previewed.',
  ),
  GIT_LOCAL_ROOT: optionalText.describe(
    'Folder that local-path marketplaces are read from. Without it they are off.',
  ),
  GIT_CREDENTIALS: json(z.array(gitCredential), '[]').describe(
    'JSON array of `{url_prefix, org_id?, username, password}`, each used for its prefix and organization only.',
  ),
  MARKETPLACE_FETCH_SECONDS: positive(30).describe('Time limit of fetching one marketplace.'),
  MARKETPLACE_CALL_SECONDS: positive(60).describe('Time limit of one preview call.'),
  MARKETPLACE_MAX_MEBIBYTES: positive(100).describe('Disk limit of one fetched marketplace, in MiB.'),
  MARKETPLACE_MAX_FILES: positive(20_000).describe('Largest number of files of one fetched marketplace.'),
  SEND_TIMEOUT_SECONDS: z.coerce
    .number('must be a number')
    .positive()
    .default(30)
    .describe('Time limit of one call to an agent server.'),
  DELIVERY_SETTLE_SECONDS: z.coerce
    .number('must be a number')
    .nonnegative()
    .default(10)
    .describe('Wait after a delivery whose outcome is unknown, before the log is searched for it.'),
  MAX_SANDBOXES: positive(100).describe('Sandboxes of the installation that are not paused.'),
  MAX_SANDBOXES_PER_ORG: positive(20).describe('Sandboxes of one organization that are not paused.'),
  SANDBOX_IDLE_SECONDS: positive(1200).describe('Idle time after which a sandbox is paused.'),
  SANDBOX_START_SECONDS: positive(120).describe('Time a sandbox has to answer after start or resume.'),
  INVITE_ADDRESSES_PER_HOUR: positive(100).describe('Invited addresses of an organization in any hour.'),
  INVITE_CALLS_PER_MINUTE: positive(30).describe('Invitation calls of one inviter in any minute.'),
  READ_CALLS_PER_MINUTE: perMinute(30_000).describe(
    'Reading requests of one key in a minute; 0 for any number.',
  ),
  SEND_CALLS_PER_MINUTE: perMinute(6_000).describe(
    'Messages that one key sends or queues in a minute; 0 for any number.',
  ),
  LIFECYCLE_CALLS_PER_MINUTE: perMinute(6_000).describe(
    'Other requests of one key that change something, in a minute; 0 for any number.',
  ),
  WEBHOOK_CALLS_PER_MINUTE: perMinute(6_000).describe(
    'Calls of the agent server of one sandbox in a minute; 0 for any number. One that serves several sandboxes is not limited.',
  ),
  PUBLIC_CALLS_PER_MINUTE: perMinute(1_200).describe(
    'Requests for the pages of invitations, by one address in a minute; 0 for any number.',
  ),
  FAILED_CREDENTIALS_PER_MINUTE: perMinute(600).describe(
    'Credentials that do not work, by one address in a minute; 0 for any number.',
  ),
  SANDBOX_ACCESS: z
    .enum(['direct', 'door'])
    .optional()
    .describe(
      'How callers are told to reach agent servers: `direct` at their own addresses, where the driver allows it; `door` through the service. The door itself is always open. Default: `door` where the web interface is served, else `direct`.',
    ),
  DOOR_CALLS_PER_MINUTE: perMinute(30_000).describe(
    'Requests of one key, or of one sandbox with its own key, through the door in a minute; 0 for any number. A WebSocket is one.',
  ),
  DOOR_CONNECTIONS_PER_SANDBOX: positive(256).describe(
    'Requests and WebSockets under way at a time through the door to one sandbox, for each replica.',
  ),
  DOOR_CONNECTIONS_PER_USER: positive(1_024).describe(
    'Requests and WebSockets under way at a time through the door to all sandboxes of one user, for each replica.',
  ),
  DOOR_MEBIBYTES_PER_SANDBOX: positive(16).describe(
    'Bytes on their way through the door to and from one sandbox that the service may hold, in MiB; beyond it nothing new begins.',
  ),
  DOOR_MEBIBYTES_PER_USER: positive(64).describe('The same for all sandboxes of one user together, in MiB.'),
  DOOR_IDLE_SECONDS: positive(900).describe(
    'Time after which a request through the door is cut off when no byte of it moved.',
  ),
  DOOR_PING_SECONDS: positive(25).describe(
    'How often both ends of a WebSocket through the door are asked whether they are there; one that is silent until the next time is gone.',
  ),
  KEEP_ALIVE_SECONDS: positive(75).describe(
    'Time an idle connection is kept open; longer than a load balancer in front of the service keeps it.',
  ),
  TRUSTED_HOPS: z.coerce
    .number('must be a number')
    .int()
    .nonnegative()
    .default(0)
    .describe(
      'Reverse proxies in front of the service: so many entries of `X-Forwarded-For`, from its end, are believed when the address of a caller is determined.',
    ),
  EARLY_QUEUE_MEBIBYTES: positive(25).describe(
    'Undelivered messages under one id that no conversation has yet, in MiB.',
  ),
  MESSAGE_MEBIBYTES_PER_USER: positive(100).describe('Undelivered messages of a user, in MiB.'),
  MESSAGE_MEBIBYTES_PER_ORG: positive(1024).describe('Undelivered messages of an organization, in MiB.'),
  DELIVERED_DAYS: positive(7).describe('Days that messages are kept after their delivery.'),
  DELIVERED_MEBIBYTES_PER_ORG: positive(1024).describe(
    'Delivered messages that are kept of an organization, in MiB; beyond it the oldest go.',
  ),
  EVENT_MEBIBYTES_PER_CONVERSATION: positive(2048).describe('Stored events of a conversation, in MiB.'),
  EVENT_MEBIBYTES_PER_ORG: positive(204_800).describe('Stored events of an organization, in MiB.'),
  JOB_LEASE_SECONDS: z.coerce
    .number('must be a number')
    .positive()
    .default(8)
    .describe('Time without a sign of life after which the jobs of a process are given to others.'),
  METRICS_TOKEN: optionalText.describe(
    'What `GET /metrics` asks for as `Authorization: Bearer`. Without it everyone who reaches the API reads the metrics.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
});

/** Whether a text is the origin of a page, as browsers write it. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a URL has no user, password, query or fragment. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return true; // reported by another check
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

/** All settings, read and checked, under the names of their environment variables. */
export type Settings = Readonly<z.infer<typeof settingsSchema>>;

/** Injection token of {@link Settings}. */
export const SETTINGS = Symbol('settings');

/** The environment has invalid settings; `problems` has one line for each. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Reads the settings from environment variables; an empty variable counts as not set.
 * @param drivers names of all sandbox drivers
 * @throws SettingsError with one line per problem
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  drivers: readonly string[] = SANDBOX_DRIVERS,
): Settings {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = settingsSchema.safeParse(present);
  const problems = result.success
    ? acrossSettings(result.data)
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const driver = present.SANDBOX_DRIVER;
  if (driver !== undefined && !drivers.includes(driver))
    problems.push(`SANDBOX_DRIVER: there is no driver ${driver}; there are ${drivers.join(', ')}`);
  if (problems.length > 0 || !result.success) throw new SettingsError(problems);
  return result.data;
}

function acrossSettings(settings: Settings): string[] {
  const problems: string[] = [];
  if (settings.DATABASE_URL !== undefined && settings.SECRET_KEY === undefined)
    problems.push('SECRET_KEY: is required when DATABASE_URL is set');
  // Drivers are asked for what they can do, not for their names; but none exists before the settings are read.
  if (settings.SANDBOX_DRIVER === 'external' && settings.AGENT_SERVER_URL === undefined)
    problems.push('AGENT_SERVER_URL: is required when SANDBOX_DRIVER is external');
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: is required when SMTP_URL is set');
  return problems;
}
