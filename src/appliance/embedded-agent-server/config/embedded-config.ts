import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { AllowedHosts } from '../../../kernel/common';

/** Where events go, and how they are gathered before. The defaults are those of the real agent server. */
export const webhookSchema = z.object({
  base_url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  headers: z.record(z.string(), z.string()).default({}),
  event_buffer_size: z.coerce.number().int().positive().default(5),
  flush_delay: z.coerce.number().positive().default(30),
  num_retries: z.coerce.number().int().nonnegative().default(3),
  retry_delay: z.coerce.number().nonnegative().default(5),
});
export type WebhookSpec = z.infer<typeof webhookSchema>;

/** The model conversations run on; what a conversation's own start leaves open comes from here. */
export interface LlmDefaults {
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Hosts that conversations may name though their addresses are not public. */
  readonly allowedHosts?: AllowedHosts | undefined;
}

/** The configuration of one embedded agent server. */
export interface EmbeddedConfig {
  readonly host: string;
  readonly port: number;
  /** Any of them opens the API; none at all leaves it open. The first one goes with webhooks. */
  readonly sessionApiKeys: readonly string[];
  /** Origins whose pages may call, beyond those on this machine. */
  readonly corsOrigins: readonly string[];
  /** Encrypts secrets on disk; without it they are kept in memory only. */
  readonly secretKey: string | null;
  /** Null keeps conversations in memory only. */
  readonly conversationsPath: string | null;
  readonly webhooks: readonly WebhookSpec[];
  /** The one folder whose files callers reach, and then they run no commands; null when all is the sandbox's own. */
  readonly confinedTo: string | null;
  readonly llm: LlmDefaults;
  /** It is dormant until a call with `secretKey` gives it the keys of a sandbox. Default: it does not. */
  readonly isDeferred?: boolean;
}

/** What of its keys a file may hold, in place of its environment. */
const fileSchema = z.object({
  session_api_keys: z.array(z.string()).default([]),
  secret_key: z.string().optional(),
});

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the flags, environment variables and file that the real agent server takes, as far as they matter here,
 * and the `LLM_*` settings of the service. The flag `--own-user` says that the user of the process is the sandbox's
 * own, so that it may have commands and all files of that user.
 * @throws Error with one sentence for what is wrong
 */
export function readEmbeddedConfig(args: readonly string[], env: Environment): EmbeddedConfig {
  const { values } = parseArgs({
    args: [...args],
    options: {
      host: { type: 'string' },
      port: { type: 'string', default: '8000' },
      'own-user': { type: 'boolean', default: false },
    },
  });
  const file = readFile(env['OPENHANDS_AGENT_SERVER_CONFIG_PATH']);
  const ofEnvironment = readList(env, 'OH_SESSION_API_KEYS', env['SESSION_API_KEY']);
  const sessionApiKeys = ofEnvironment.length > 0 ? ofEnvironment : file.session_api_keys;
  const port = z.coerce.number().int().min(0).max(65535).safeParse(values.port);
  if (!port.success) throw new Error('--port must be a number from 0 to 65535.');
  return {
    host: values.host ?? (sessionApiKeys.length > 0 ? '0.0.0.0' : '127.0.0.1'),
    port: port.data,
    sessionApiKeys,
    corsOrigins: readList(env, 'OH_ALLOW_CORS_ORIGINS', undefined),
    secretKey: env['OH_SECRET_KEY'] ?? file.secret_key ?? sessionApiKeys[0] ?? null,
    conversationsPath: resolve(env['OH_CONVERSATIONS_PATH'] ?? 'workspace/conversations'),
    webhooks: readWebhooks(env),
    confinedTo: values['own-user'] ? null : resolve('workspace/project'),
    llm: {
      model: env['LLM_MODEL'],
      baseUrl: env['LLM_BASE_URL'],
      apiKey: env['LLM_API_KEY'],
      allowedHosts: new AllowedHosts('LLM_ALLOWED_HOSTS', hostsIn(env['LLM_ALLOWED_HOSTS'])),
    },
    isDeferred: /^(1|true)$/i.test(env['OH_DEFERRED_INIT'] ?? ''),
  };
}

/** @throws Error when it cannot be read: without its keys an agent server would be open to everybody */
function readFile(path: string | undefined): z.infer<typeof fileSchema> {
  if (path === undefined) return { session_api_keys: [] };
  const file = fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!file.success) throw new Error(`${path} is no configuration: ${z.prettifyError(file.error)}`);
  return file.data;
}

/** A list as JSON in `NAME`, or one entry each in `NAME_0`, `NAME_1` and so on. */
function readList(env: Environment, name: string, fallback: string | undefined): string[] {
  const whole = env[name];
  if (whole !== undefined) return z.array(z.string()).parse(JSON.parse(whole));
  const entries: string[] = [];
  for (let entry = env[`${name}_0`]; entry; entry = env[`${name}_${entries.length}`]) entries.push(entry);
  return entries.length === 0 && fallback ? [fallback] : entries;
}

/** As the service hands them on. */
function hostsIn(text = ''): string[] {
  return text.split(',').filter((host) => host !== '');
}

function readWebhooks(env: Environment): WebhookSpec[] {
  const specs: WebhookSpec[] = [];
  for (;;) {
    const prefix = `OH_WEBHOOKS_${specs.length}_`;
    const read = (field: string): string | undefined => env[prefix + field];
    if (read('BASE_URL') === undefined) return specs;
    const headers = read('HEADERS');
    const spec = webhookSchema.safeParse({
      base_url: read('BASE_URL'),
      headers: headers === undefined ? undefined : (JSON.parse(headers) as unknown),
      event_buffer_size: read('EVENT_BUFFER_SIZE'),
      flush_delay: read('FLUSH_DELAY'),
      num_retries: read('NUM_RETRIES'),
      retry_delay: read('RETRY_DELAY'),
    });
    if (!spec.success) throw new Error(`${prefix}* is not a webhook: ${z.prettifyError(spec.error)}`);
    specs.push(spec.data);
  }
}
