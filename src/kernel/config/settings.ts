import { z } from 'zod';
import { AllowedHosts } from '../common';
import { externalSettings } from './external-settings';
import { kubernetesSettings } from './kubernetes-settings';
import { limitSettings } from './limit-settings';
import { sandboxSettings } from './sandbox-settings';
import { serviceSettings } from './service-settings';
import { hardToGuess, oneOf } from './setting-types';

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
  ...limitSettings,
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
  if (settings.DATABASE_DIRECT_URL !== undefined && settings.DATABASE_URL === undefined)
    problems.push('DATABASE_URL: is required when DATABASE_DIRECT_URL is set');
  // Drivers are asked for what they can do, not for their names; but none exists before the settings are read.
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
  return problems;
}
