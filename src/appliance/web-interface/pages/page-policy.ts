import { sandboxUrlPattern, type Settings } from '../../../kernel/config';

const LOOPBACK = /^(localhost|127(\.\d+){3})$/;

/** Characters of a host name in a policy. */
const HOST_NAME = /^[a-z0-9*]([a-z0-9.-]*[a-z0-9])?$/i;

/**
 * The Content-Security-Policy of the web interface: it may connect to the service and to sandboxes only.
 * @param scriptSources of the inline scripts
 * @param pageHost the `Host` of the request: the page looks for this machine's agent servers there
 */
export function pagePolicy(
  scriptSources: readonly string[],
  settings: Settings,
  pageHost: string | undefined,
): string {
  const sandboxes = sandboxSources(settings, hostNameOf(pageHost)).join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptSources.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "media-src 'self' data: blob:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    `connect-src 'self' ${sandboxes}`.trim(),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where browsers reach agent servers directly. */
function sandboxSources(settings: Settings, pageHost: string | null): string[] {
  if (settings.SANDBOX_ACCESS === 'door' || settings.SANDBOX_ACCESS === 'mixed') return [];
  const addresses = [sandboxUrlPattern(settings), settings.AGENT_SERVER_URL ?? ''];
  return [...new Set(addresses.flatMap((address) => sourcesOf(address, pageHost)))];
}

function sourcesOf(address: string, pageHost: string | null): string[] {
  const [, secure, name = '', port = ''] = /^http(s?):\/\/([^/?#:]+)(:[^/?#]+)?/i.exec(address) ?? [];
  if (secure === undefined) return [];
  const hosts = [wildcard(name), ...(LOOPBACK.test(name) && pageHost !== null ? [pageHost] : [])];
  const schemes = secure === '' ? ['http', 'ws'] : ['https', 'wss'];
  return hosts
    .filter((host) => HOST_NAME.test(host))
    .flatMap((host) => schemes.map((scheme) => `${scheme}://${host}${port.replace('{port}', '*')}`));
}

/** A name with `{port}` in it becomes a wildcard for its siblings: policies have no other pattern. */
function wildcard(name: string): string {
  const labels = name.split('.');
  const last = labels.findLastIndex((label) => label.includes('{port}'));
  return last === -1 ? name : ['*', ...labels.slice(last + 1)].join('.');
}

function hostNameOf(host: string | undefined): string | null {
  const name = host?.replace(/:\d+$/, '') ?? '';
  return HOST_NAME.test(name) ? name : null;
}
