import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition, RunningApplication } from './application';
import { CallbackPort } from './callback-port';
import { messageOf, StartError, takeAll } from './kernel/common';
import { ownUrl, type Settings } from './kernel/config';
import { DataDir } from './data-dir';
import type { Extensions } from './operations/extensions';
import { freePort, listenProblem } from './free-port';
import { callbackPortAdvice, checkListeningHost, checkProcessDriver } from './drivers/start-checks';
import { checkMarketplaceSettings } from './agents/skills/registration/marketplace-settings';
import { prepare, type StartLog } from './start-up';
import { startTelemetry } from './kernel/telemetry';
import type { InstalledInterface } from './appliance/web-interface';
import { findConsole } from './appliance/console/built-console';
import { interfaceToServe } from './appliance/web-interface/installed/interface-to-serve';

/*
 * The imports are of single files, since loading whole modules takes longer than everything else here: the rest of
 * the code is loaded while PostgreSQL starts.
 */
const loadApplication = (): Promise<typeof import('./application.ts')> => import('./application.ts');

/** A service that is listening. */
export interface RunningService extends Omit<RunningApplication, 'withdraw' | 'stop'> {
  /** As given, with the actual port. */
  readonly settings: Settings;
  /** The web interface it serves, or null. */
  readonly webInterface: InstalledInterface | null;
  /** Whether it has the console. */
  readonly hasConsole: boolean;
  /** Resolves when the service cannot go on. */
  readonly lost: Promise<StartError>;
  /**
   * Moves load balancers to other replicas: `/ready` answers 503 while everything else goes on. Resolves after
   * `STOP_DELAY_SECONDS`, when it is time to stop.
   */
  withdraw(): Promise<void>;
  /** Finishes requests in flight and running jobs, then ends everything. */
  stop(): Promise<void>;
}

/** How a service is started. */
interface ServiceStart extends Omit<Composition, 'webInterface' | 'consoleFolder' | 'callbackPort'> {
  /** Called at each step of the start. */
  readonly log: StartLog;
  readonly extensions: Extensions;
}

/**
 * Starts the whole service and listens.
 * @throws SettingsError, StartError
 */
export async function startService(
  given: Settings,
  { log, extensions, place = null, ...composition }: ServiceStart,
): Promise<RunningService> {
  checkMarketplaceSettings(given);
  checkProcessDriver(given);
  const isAnother = place?.isAnother === true;
  const listening = isAnother ? given : { ...given, PORT: await freePort(given) };
  const webInterface = await interfaceToServe(listening);
  const consoleFolder = findConsole(listening);
  if (listening.WEB_UI === 'on') await checkListeningHost(listening);
  const telemetry = await startTelemetry(process.env, log);
  const callbackPort = isAnother ? null : await openCallbackPort(listening, webInterface, log);
  const settings = { ...listening, CALLBACK_PORT: callbackPort?.port ?? given.CALLBACK_PORT };
  const prepared = await prepare(settings, {
    purpose: isAnother ? 'worker' : 'service',
    extensions,
    log,
    onSpawn: () => void loadApplication().catch(() => undefined),
  });
  let application: RunningApplication | undefined;
  let savesAddress = false;
  let isUp = false;
  const stop = (): Promise<void> =>
    takeAll([
      // Another process may have one there, which runs.
      async () => (savesAddress ? prepared.dataDir.removeAddress() : undefined),
      async () => application?.stop(),
      () => Promise.resolve(callbackPort?.close()),
      // The others use its database.
      async () => {
        if (isUp && !isAnother) await Promise.race([place?.alone, prepared.lost]);
      },
      () => prepared.close(),
      () => telemetry.stop(),
    ]);
  try {
    const { startApplication } = await loadApplication();
    const running = await startApplication(prepared, {
      webInterface,
      consoleFolder,
      callbackPort,
      place,
      ...composition,
    });
    application = running;
    savesAddress = !isAnother;
    if (savesAddress) await prepared.dataDir.saveAddress(ownUrl(settings));
    isUp = true;
    const withdraw = async (): Promise<void> => {
      running.withdraw();
      await sleep(settings.STOP_DELAY_SECONDS * 1000);
    };
    let stopped: Promise<void> | undefined;
    return {
      ...running,
      settings,
      webInterface,
      hasConsole: consoleFolder !== null,
      lost: prepared.lost,
      withdraw,
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await stop().catch((failure: unknown) => log.warn(`Not everything was stopped: ${messageOf(failure)}`));
    throw listenProblem(error, settings) ?? error;
  }
}

/** Opens the port of sandboxes, and says what to do where the web interface needs one and there is none. */
async function openCallbackPort(
  settings: Settings,
  webInterface: InstalledInterface | null,
  log: StartLog,
): Promise<CallbackPort | null> {
  const port = await CallbackPort.open(settings, await DataDir.open(settings.DATA_DIR));
  const advice = webInterface === null || port !== null ? null : callbackPortAdvice(settings);
  if (advice !== null) log.warn(advice);
  return port;
}
