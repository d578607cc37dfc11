import type { Bootstrapped } from './accounts/api-keys';
import { type OwnPrograms, shellWord } from './kernel/common';
import { publicUrl, type Settings } from './kernel/config';
import type { SandboxDriver } from './sandboxes/driver-port';

/** The contents of the banner. */
interface BannerContent {
  readonly settings: Settings;
  /** The driver of new sandboxes. */
  readonly driver: Pick<SandboxDriver, 'name' | 'operatorNote'>;
  /** The web interface it serves, or null. */
  readonly webInterface: { readonly version: string } | null;
  /** Whether the console is there. */
  readonly hasConsole: boolean;
  /** User, organization and key that the first start made; null at later starts. */
  readonly first: Bootstrapped | null;
}

/** The text shown on a terminal once the service is ready. Its commands can be pasted into another terminal. */
export function banner(
  { settings, driver, webInterface, hasConsole, first }: BannerContent,
  { cli, hasScripts }: OwnPrograms,
): string {
  const { BOOTSTRAP_KEY, DATABASE_URL, DATA_DIR, WEB_UI } = settings;
  const url = publicUrl(settings);
  const shown = first === null || BOOTSTRAP_KEY !== undefined ? null : first.key;
  // The commands look there for the service and its database.
  const place = DATA_DIR === '.data' ? '' : `DATA_DIR=${shellWord(DATA_DIR)} `;
  const issue = `${cli} key:issue --owner --field key`;
  const header = shown === null ? '"X-Access-Token: $KEY"' : `'X-Access-Token: ${shown}'`;
  const commands = [
    ...(shown === null ? [`export KEY=$(${place}${issue})`] : []),
    `curl -sw '\\n' -H ${header} ${shellWord(`${url}/api/keys/current`)}`,
    ...(hasScripts ? [`${place}npm run demo`] : []),
  ];
  const notInstalled = hasScripts ? 'none yet: npm run web:install' : 'none (docs/web-interface.md)';
  const noInterface = WEB_UI === 'off' ? 'switched off (WEB_UI=off)' : notInstalled;
  const lines = [
    'Organization Conversation Service is ready.',
    '',
    `  Web         ${webInterface === null ? noInterface : `${url} (sign in with the key)`}`,
    ...(hasConsole ? [`  Console     ${url}/console (your organization's pages)`] : []),
    `  API         ${url}`,
    `  Swagger UI  ${url}/docs`,
    `  Sandboxes   ${driver.name}${driver.operatorNote === undefined ? '' : ` (${driver.operatorNote})`}`,
    ...keyLines(first, shown),
    '',
    `  Next        in a second terminal${DATABASE_URL === undefined ? '' : ', with DATABASE_URL and SECRET_KEY set as here'}:`,
    ...commands.map((command) => `              ${command}`),
    '  Stop        Ctrl-C',
  ];
  return `\n${lines.join('\n')}\n\n`;
}

function keyLines(first: Bootstrapped | null, shown: string | null): string[] {
  if (first === null) return ['  Key         as shown at the first start; below, a command for another one'];
  const whose = `of ${first.email}, owner of ${first.orgName}`;
  return shown === null
    ? [`  Key         the one in BOOTSTRAP_KEY, ${whose}`]
    : [`  Key         ${shown}`, `              ${whose}; it is shown only now`];
}
