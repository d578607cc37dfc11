import { type Logger, pino } from 'pino';
import { banner } from './banner';
import {
  checkNodeVersion,
  giveBackMemory,
  ExtensionError,
  nodeAdvice,
  outlivePeers,
  ownPrograms,
  StartError,
} from './kernel/common';
import { publicUrl, readSettings, SANDBOX_DRIVERS, SettingsError } from './kernel/config';
import type { Extension, ExtensionModule } from './operations/extensions';
// A file only: the rest of the folder is loaded where there are extensions.
import { gatherExtensions, versionsOf } from './operations/extensions/gather-extensions';
import { LogDestination } from './kernel/http/observability/log-destination';
import { startService } from './service';
import { runWorkers, workerCount, WorkerPlace } from './workers';

/** The process exits within five seconds of a signal. */
const STOP_MS = 4_900;
const TICK_MS = 100;

/** After the start, when what it left to be done has been. */
const GIVE_BACK_MS = 3_000;

/** A process that is merely short of processor time has its turn before that. */
const SUSPENDED_MS = 1_000;

/** npm forwards Ctrl-C, so two signals arrive at once; only a later one comes from a person who will not wait. */
const SAME_SIGNAL_MS = 400;

/** The additions of a program to the service. */
export interface RunOptions {
  /** Besides those that `EXTENSIONS` names (docs/extending.md). */
  readonly extensions?: readonly (Extension | ExtensionModule)[];
}

/**
 * Runs the service as the process it is called in: reads the settings from the environment, starts, says where it
 * listens, and ends the process with everything that was started, at the first SIGINT or SIGTERM or when the service
 * cannot go on. A start that fails is one sentence on standard error, and exit code 1.
 */
export async function runService(options: RunOptions = {}): Promise<void> {
  try {
    await run(options);
  } catch (error) {
    const known = error instanceof SettingsError || error instanceof StartError;
    const text = known ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
}

async function run({ extensions: ofProgram = [] }: RunOptions): Promise<void> {
  checkNodeVersion();
  const extensions = await gatherExtensions(ofProgram, process.env);
  const settings = readSettings(
    process.env,
    [...SANDBOX_DRIVERS, ...extensions.sandboxDrivers],
    extensions.settingProblems,
  );
  const logDestination = await LogDestination.forStandardOutput();
  const log = pino({ level: settings.LOG_LEVEL, base: { context: 'Service' } }, logDestination);
  outlivePeers({
    survived: (error) => log.error({ err: error }, 'A connection failed, and nobody handled that.'),
    ending: (error) => log.fatal({ err: error }, 'The service ends by an error of its own.'),
  });
  const place = WorkerPlace.current();
  const workers = workerCount(settings);
  if (place === null && workers > 1) return runWorkers(workers, log);
  const onTerminal = process.stdout.isTTY;

  let stop = (): Promise<void> => process.exit(130); // nothing is in flight while it starts
  let withdraw = (): Promise<void> => Promise.resolve();
  let signalledAt: number | undefined;
  const end = async (code: number): Promise<never> => {
    limitStop(log);
    try {
      await stop();
    } catch (error) {
      log.error({ err: error }, 'The service ends without having stopped everything.');
      process.exit(1);
    }
    process.exit(code);
  };
  const onSignal = (): void => {
    const now = performance.now();
    if (signalledAt === undefined) {
      signalledAt = now;
      void withdraw().then(() => end(0));
    } else if (now - signalledAt > SAME_SIGNAL_MS) process.exit(130);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);

  if (extensions.origins.length > 0) log.info(`Loaded: ${versionsOf(extensions)}.`);
  const options = { log, logDestination, showsKey: onTerminal, extensions, place };
  const service = await startService(settings, options).catch((error: unknown) => {
    if (error instanceof ExtensionError && error.cause instanceof Error) {
      // Only these: an error of the database has parameters of statements, too.
      const { message, stack } = error.cause;
      log.error({ err: { message, stack } }, error.message);
    }
    throw error;
  });
  stop = async () => {
    log.info('The service is stopping.');
    await service.stop();
  };
  if (settings.STOP_DELAY_SECONDS > 0)
    withdraw = () => {
      log.info(`The service is not ready any more and stops in ${settings.STOP_DELAY_SECONDS} s.`);
      return service.withdraw();
    };
  void service.lost.then((error) => {
    log.fatal(error.message);
    return end(1);
  });
  place?.ready();
  setTimeout(giveBackMemory, GIVE_BACK_MS).unref();
  if (place?.isAnother === true) return;
  const advice = nodeAdvice(process.versions.node);
  if (advice !== null) log.warn(advice);
  if (service.keyFile !== null) log.info(`The first key is in ${service.keyFile}.`);
  if (onTerminal) {
    logDestination.flush();
    process.stdout.write(banner(service, ownPrograms()));
  } else {
    const url = publicUrl(service.settings);
    log.info(`The service is ready: API ${url}, Swagger UI ${url}/docs.`);
  }
}

/**
 * Ends the process when its stop takes too long. A suspension counts as a second: by the clock, a process that was
 * suspended would be ended as soon as it goes on, with nothing stopped.
 */
function limitStop(log: Logger): void {
  let [left, last] = [STOP_MS, performance.now()];
  setInterval(() => {
    const now = performance.now();
    left -= Math.min(now - last, SUSPENDED_MS);
    last = now;
    if (left > 0) return;
    log.error(`The service ends without having stopped everything, which took more than ${STOP_MS} ms.`);
    process.exit(1);
  }, TICK_MS).unref();
}
