import type { Bootstrapped } from './api-keys';
import { publicUrl, type Settings } from './config';
import { isolatesNothing } from './sandboxes';

/** What the banner says about each driver. */
const DRIVERS: Readonly<Record<string, string>> = {
  embedded:
    'embedded (for trying things out, without commands unless started as root; set SANDBOX_DRIVER=process for work)',
  process: 'process (one agent server per sandbox on this machine, each with a user of its own)',
};

const UNISOLATED =
  'process (one agent server per sandbox on this machine; isolates nothing, for trusted users)';

/**
 * The text shown on a terminal once the service is ready.
 * @param first user, organization and key that the first start made; null at later starts
 */
export function banner(settings: Settings, first: Bootstrapped | null): string {
  const url = publicUrl(settings);
  const driver = isolatesNothing(settings) ? UNISOLATED : DRIVERS[settings.SANDBOX_DRIVER];
  const lines = [
    'Organization Conversation Service is ready.',
    '',
    `  API         ${url}`,
    `  Swagger UI  ${url}/docs`,
    `  Sandboxes   ${driver ?? settings.SANDBOX_DRIVER}`,
  ];
  if (first === null) lines.push('  Key         as shown at the first start; more: npm run cli -- key:issue');
  else
    lines.push(
      `  Key         ${settings.BOOTSTRAP_KEY === undefined ? first.key : 'the one in BOOTSTRAP_KEY'}`,
      `              of ${first.email}, owner of ${first.orgName}; it is shown only now`,
    );
  const key = first === null || settings.BOOTSTRAP_KEY !== undefined ? '$KEY' : first.key;
  lines.push(
    '',
    '  Next        npm run demo       (in a second terminal)',
    `              curl -H 'X-Access-Token: ${key}' ${url}/api/keys/current`,
    '  Stop        Ctrl-C',
  );
  return `\n${lines.join('\n')}\n\n`;
}
