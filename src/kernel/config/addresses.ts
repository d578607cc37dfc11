import type { Settings } from './settings';

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** How people reach the service, without a slash at the end. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Settings): string {
  return trimSlash(PUBLIC_URL ?? ownUrl({ HOST, PORT }));
}

/** The path of the service at its public address, as browsers have it before its own paths; empty for none. */
export function publicPath(settings: Settings): string {
  return trimSlash(new URL(publicUrl(settings)).pathname);
}

/** How programs of this machine reach the service, without a slash at the end. */
export function ownUrl({ HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): string {
  return `http://${reachable(HOST)}:${PORT}`;
}

/** How sandboxes reach the service, without a slash at the end. */
export function callbackUrl(settings: Settings): string {
  return settings.CALLBACK_URL === undefined ? publicUrl(settings) : trimSlash(settings.CALLBACK_URL);
}

/**
 * What sandboxes reach whatever else they are kept from: the service, and what the operator names for them. Where the gateway for
 * models is on, models are none of it: the service calls them.
 */
export function addressesForSandboxes(settings: Settings): string[] {
  const { LLM_BASE_URL, LLM_ALLOWED_HOSTS, GIT_ALLOWED_HOSTS } = settings;
  const isDirect = settings.MODEL_GATEWAY === 'off';
  const hosts = [...(isDirect ? LLM_ALLOWED_HOSTS : []), ...GIT_ALLOWED_HOSTS];
  return [
    callbackUrl(settings),
    ...(isDirect && LLM_BASE_URL !== undefined ? [LLM_BASE_URL] : []),
    ...hosts.flatMap((host) => [`http://${host}`, `https://${host}`]),
  ];
}

/** The port of loopback at which sandboxes reach the service itself; null where they do elsewhere. */
export function callbackPortOfLoopback(settings: Settings): number | null {
  const { protocol, hostname, port, pathname } = new URL(callbackUrl(settings));
  // An address with a path or TLS is that of a proxy, not of the listener itself.
  const isOwn = protocol === 'http:' && pathname === '/' && LOOPBACK.includes(hostname);
  return isOwn ? Number(port || '80') : null;
}

/** The address at which the API listens for sandboxes alone, at `CALLBACK_PORT`. */
export function callbackHost(settings: Settings): string {
  if (callbackPortOfLoopback(settings) === null) return settings.HOST;
  return settings.HOST.includes(':') ? '::1' : '127.0.0.1';
}

/** How callers reach an agent server of this installation, without a slash at the end. */
export function sandboxUrl(settings: Settings, port: number): string {
  return trimSlash(sandboxUrlPattern(settings).replaceAll('{port}', String(port)));
}

/** As {@link sandboxUrl}, for all of them: with `{port}` in place of the port. */
export function sandboxUrlPattern({ SANDBOX_PUBLIC_URL, SANDBOX_HOST }: Settings): string {
  return SANDBOX_PUBLIC_URL ?? `http://${reachable(SANDBOX_HOST)}:{port}`;
}

/**
 * How this host is reached where something listens at an address: one that stands for all is reached by loopback's.
 * Never by the name `localhost`: it may lead to another address, and anyone of this host may listen there.
 */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
