import type { Bootstrapped } from './api-keys';
import { publicUrl, type Settings } from './config';
import type { SandboxDriver } from './sandboxes';

/** What the banner says of a service. */
export interface BannerContent {
  readonly settings: Settings;
  /** The driver of new sandboxes. */
  readonly driver: Pick<SandboxDriver, 'name' | 'operatorNote'>;
  /** The web interface it serves, or null. */
  readonly webInterface: { readonly version: string } | null;
  /** User, organization and key that the first start made; null at later starts. */
  readonly first: Bootstrapped | null;
}

/** The text shown on a terminal once the service is ready. */
export function banner({ settings, driver, webInterface, first }: BannerContent): string {
  const url = publicUrl(settings);
  const lines = [
    'Organization Conversation Service is ready.',
    '',
    `  Web         ${webInterface === null ? 'none yet: npm run web:install' : `${url} (sign in with the key)`}`,
    `  API         ${url}`,
    `  Swagger UI  ${url}/docs`,
    `  Sandboxes   ${driver.name}${driver.operatorNote === undefined ? '' : ` (${driver.operatorNote})`}`,
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
