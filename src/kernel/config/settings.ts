import { z } from 'zod';
import { AllowedHosts } from '../common';
import { limitSettings } from './limit-settings';
import { modelGatewaySettings } from './model-gateway-settings';
import { retentionSettings } from './retention-settings';
import { oidcProblems, oidcSettings } from './oidc-settings';
import { sandboxSettings } from './sandbox-settings';
import { serviceSettings } from './service-settings';
import {
  commaList,
  hardToGuess,
  httpUrl,
  json,
  oneOf,
  optionalText,
  positive,
  seconds,
} from './setting-types';

/** A name of a namespace: 63 characters at most, of which an organization's id has 36. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const AN_ID = '00000000-0000-0000-0000-000000000000';
const LABELS = /^[^\s=,]+=[^\s=,]*(\s*,\s*[^\s=,]+=[^\s=,]*)*$/;

/** The cluster of the `kubernetes` driver. */
const kubernetesSettings = {
  KUBERNETES_NAMESPACE: optionalText
    .refine(
      (name) => name === undefined || NAMESPACE.test(name.replace('{org}', AN_ID)),
      'must be the name of a namespace',
    )
    .describe(
      'Where the `kubernetes` driver has its sandboxes; with `{org}` in it, a namespace of its own for each organization, which the service makes. Default: the namespace of the service, or of its kubeconfig.',
    ),
  KUBERNETES_POD_ACCESS: oneOf(['address', 'proxy'])
    .optional()
    .describe(
      "How the service reaches pods: at their `address`, or through the API server's `proxy`. Default: `address` where the service runs in the cluster, else `proxy`.",
    ),
  KUBERNETES_POD_TEMPLATE: optionalText.describe(
    'File with what is to differ in the pods of sandboxes, as a `PodTemplateSpec` in YAML or JSON: runtime class, node selector, tolerations, resources and so on.',
  ),
  KUBERNETES_STORAGE_CLASS: optionalText.describe(
    "Storage class of the volumes of sandboxes. Default: the cluster's default one.",
  ),
  KUBERNETES_ADMITTED_PODS: z
    .string()
    .regex(LABELS, 'must be labels such as app=service,tier=api')
    .default('app.kubernetes.io/name=org-conversation-service')
    .describe(
      "Labels of the service's own pods: the only ones that reach sandboxes, where the service runs in the cluster.",
    ),
  KUBERNETES_ORGANIZATION_QUOTA: json(z.record(z.string(), z.string()), '{}').describe(
    'What the sandboxes of one organization may take together where each has a namespace of its own, as `hard` of a `ResourceQuota`: for example `{"requests.memory":"64Gi","persistentvolumeclaims":"50"}`.',
  ),
};

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

/** Models, mail, marketplaces and webhooks. */
const externalSettings = {
  LLM_MODEL: z.string().min(1).max(255).optional().describe('Model of conversations that name none.'),
  LLM_BASE_URL: httpUrl.optional().describe('Base address of an OpenAI-compatible API.'),
  LLM_API_KEY: optionalText.describe('Key for that API.'),
  LLM_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, of models besides `LLM_BASE_URL` that sandboxes reach where they keep off what is not public: names or IP addresses inside a network. Without a port, 80 and 443 are meant.',
  ),
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
  MARKETPLACE_FETCH_SECONDS: seconds(30).describe('Time limit of fetching one marketplace.'),
  MARKETPLACE_CALL_SECONDS: seconds(60).describe('Time limit of one preview call.'),
  MARKETPLACE_MAX_MEBIBYTES: positive(100).describe('Disk limit of one fetched marketplace, in MiB.'),
  MARKETPLACE_MAX_FILES: positive(20_000).describe(
    'Largest number of files that are read of one repository.',
  ),
  WEBHOOK_ALLOWED_HOSTS: commaList.describe(
    'Hosts (with `:port`), comma-separated, exempt from the public-address and https rules of webhooks: names or IP addresses inside a network, http as well. Without a port, 80 and 443 are meant.',
  ),
};

/** The sandbox drivers that come with the service. */
export const SANDBOX_DRIVERS: readonly string[] = ['embedded', 'process', 'docker', 'kubernetes', 'external'];

/** Those that run an image. */
const WITH_IMAGE: readonly string[] = ['docker', 'kubernetes'];

/** Every setting of the service: its name in the environment, its check, its default and its meaning. */
export const settingsSchema = z.object({
  ...serviceSettings,
  ...sandboxSettings,
  ...kubernetesSettings,
  ...externalSettings,
  ...modelGatewaySettings,
  ...oidcSettings,
  ...limitSettings,
  ...retentionSettings,
  JOB_LEASE_SECONDS: z.coerce
    .number('must be a number')
    .positive()
    .default(8)
    .describe('Time without a sign of life after which the jobs of a process are given to others.'),
  // Requests that bring a wrong one are limited nowhere.
  METRICS_TOKEN: hardToGuess(', for example what `openssl rand -hex 32` prints').describe(
    'What `GET /metrics` asks for as `Authorization: Bearer`; at least 32 characters, ten of them distinct. Without it everyone who reaches the API reads the metrics.',
  ),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
});

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
 * @param further problems of settings that are read elsewhere
 * @throws SettingsError with one line per problem
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  drivers: readonly string[] = SANDBOX_DRIVERS,
  further: readonly string[] = [],
): Settings {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = settingsSchema.safeParse(present);
  const problems = result.success
    ? acrossSettings(result.data)
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const driver = present.SANDBOX_DRIVER;
  if (driver !== undefined && !drivers.includes(driver))
    problems.push(`SANDBOX_DRIVER: there is no driver ${driver}; there are ${drivers.join(', ')}`);
  problems.push(...further);
  if (problems.length > 0 || !result.success) throw new SettingsError(problems);
  return result.data;
}

function databaseProblems(settings: Settings): string[] {
  if (settings.DATABASE_URL === undefined)
    return (['DATABASE_DIRECT_URL', 'MIGRATION_DATABASE_URL'] as const)
      .filter((name) => settings[name] !== undefined)
      .map((name) => `DATABASE_URL: is required when ${name} is set`);
  return settings.SECRET_KEY === undefined ? ['SECRET_KEY: is required when DATABASE_URL is set'] : [];
}

function acrossSettings(settings: Settings): string[] {
  const problems = databaseProblems(settings);
  // Other code checks the capabilities of drivers, not their names; but no driver exists before the settings are read.
  if (settings.SANDBOX_DRIVER === 'external' && settings.AGENT_SERVER_URL === undefined)
    problems.push('AGENT_SERVER_URL: is required when SANDBOX_DRIVER is external');
  if (WITH_IMAGE.includes(settings.SANDBOX_DRIVER) && settings.SANDBOX_IMAGE === undefined)
    problems.push(`SANDBOX_IMAGE: is required when SANDBOX_DRIVER is ${settings.SANDBOX_DRIVER}`);
  if (settings.SANDBOX_WARM > 0 && settings.KUBERNETES_NAMESPACE?.includes('{org}') === true)
    problems.push(
      'SANDBOX_WARM: needs one namespace for all sandboxes, and KUBERNETES_NAMESPACE has {org} in it',
    );
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: is required when SMTP_URL is set');
  problems.push(...AllowedHosts.problems('WEBHOOK_ALLOWED_HOSTS', settings.WEBHOOK_ALLOWED_HOSTS));
  problems.push(...AllowedHosts.problems('LLM_ALLOWED_HOSTS', settings.LLM_ALLOWED_HOSTS));
  problems.push(...AllowedHosts.problems('OIDC_ALLOWED_HOSTS', settings.OIDC_ALLOWED_HOSTS));
  problems.push(...oidcProblems(settings));
  return problems;
}

/** How many of those that a replica has one organization may take; at least one. */
export function organizationShare(total: number, settings: Settings): number {
  return Math.max(1, Math.floor((total * settings.ORGANIZATION_SHARE_PERCENT) / 100));
}
