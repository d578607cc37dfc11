import { callbackHost, callbackPortOfLoopback, type Settings } from './config';
import type { DataDir } from './data-dir';
import { freePort } from './free-port';
import { freePort as freePortOfSandboxes } from './sandboxes/drivers/ports/free-port';

/**
 * The second port of the service, for sandboxes, which need to know it: that of the settings, or, where sandboxes of this host
 * call at loopback, the one that it had before.
 * @returns undefined where there is none
 * @throws StartError when the service cannot listen there
 */
export async function callbackPort(settings: Settings, dataDir: DataDir): Promise<number | undefined> {
  const { APP_ROLE, CALLBACK_PORT, PORT } = settings;
  const HOST = callbackHost(settings);
  if (CALLBACK_PORT !== undefined) return freePort({ HOST, PORT: CALLBACK_PORT }, 'CALLBACK_PORT');
  if (APP_ROLE === 'api' || callbackPortOfLoopback(settings) === null) return undefined;
  return dataDir.callbackPort((last) => freePortOfSandboxes(HOST, last, new Set([PORT])));
}
