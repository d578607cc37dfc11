import { digestOf } from '../kernel/common';
import { callbackUrl, publicUrl, type Settings } from '../kernel/config';

/** The variables of the service that an agent server may see. */
const INHERITED = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE'] as const;

/**
 * The whole environment of an agent server: nothing else of the service's own reaches it.
 * @param home its folder, for all that it stores
 * @param port the one it listens on
 */
export function agentServerEnvironment(
  settings: Settings,
  sessionKey: string,
  { home, port }: { readonly home: string; readonly port: number },
): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    ...environmentWithoutKeys(settings, { home, port }),
    ...keysInEnvironment(sessionKey),
  };
}

/** The keys of an agent server, as variables. */
export function keysInEnvironment(sessionKey: string): Record<string, string> {
  return { OH_SESSION_API_KEYS_0: sessionKey, OH_SECRET_KEY: secretKeyOf(sessionKey) };
}

/** The variables of this process that its agent servers get. */
export function inheritedEnvironment(): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(inherited);
}

/**
 * What a driver puts into a file that only the agent server reads, where others may see its environment;
 * `OPENHANDS_AGENT_SERVER_CONFIG_PATH` names the file.
 */
export function agentServerFile(sessionKey: string): string {
  return JSON.stringify({ session_api_keys: [sessionKey], secret_key: secretKeyOf(sessionKey) });
}

/** As {@link agentServerEnvironment}, without the keys and without anything of this process's environment. */
export function environmentWithoutKeys(
  settings: Settings,
  { home, port }: { readonly home: string; readonly port: number },
): Record<string, string> {
  return {
    // Its event times carry no zone.
    TZ: 'UTC',
    // Without it an unhandled error of the real agent server costs seconds of drawing.
    LOG_JSON: '1',
    // Where a later start finds and ends what an earlier one left; short, because sockets are in it.
    TMUX_TMPDIR: home,
    HOME: home,
    USER: 'sandbox',
    LOGNAME: 'sandbox',
    // The address of the agent server for programs in the sandbox.
    AGENT_SERVER_PORT: String(port),
    OH_ALLOW_CORS_ORIGINS: JSON.stringify(callingOrigins(settings)),
    OH_WEBHOOKS_0_BASE_URL: `${callbackUrl(settings)}/api/v1/webhooks`,
    OH_WEBHOOKS_0_EVENT_BUFFER_SIZE: '1',
    OH_WEBHOOKS_0_FLUSH_DELAY: '1',
    OH_ENABLE_VSCODE: '0',
    OH_PRELOAD_TOOLS: '0',
    // No other server uses its folder, so that a restart need not wait a minute for the lock of a killed one.
    OH_LEASE_TTL_SECONDS: '0',
    DO_NOT_TRACK: '1',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    OPENHANDS_SUPPRESS_BANNER: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Of its own, so that what is encrypted with it outlives restarts; callers know the session key only. */
function secretKeyOf(sessionKey: string): string {
  return digestOf(`agent server secrets ${sessionKey}`);
}

/** The origins of pages that may call agent servers: the service's own, and those that may call the service. */
function callingOrigins(settings: Settings): string[] {
  return [...new Set([new URL(publicUrl(settings)).origin, ...settings.CORS_ORIGINS])];
}

/**
 * The model of the embedded agent server; the real one gets its model with each conversation. The key for it is not among
 * these: it comes with the conversations that the service starts.
 */
export function modelEnvironment(settings: Settings): Record<string, string> {
  const { LLM_MODEL, LLM_BASE_URL, LLM_ALLOWED_HOSTS } = settings;
  // Conversations name the gateway, which is where the callbacks go.
  if (settings.MODEL_GATEWAY === 'on') return { LLM_ALLOWED_HOSTS: new URL(callbackUrl(settings)).host };
  return {
    ...(LLM_MODEL === undefined ? {} : { LLM_MODEL }),
    ...(LLM_BASE_URL === undefined ? {} : { LLM_BASE_URL }),
    ...(LLM_ALLOWED_HOSTS.length === 0 ? {} : { LLM_ALLOWED_HOSTS: LLM_ALLOWED_HOSTS.join() }),
  };
}
