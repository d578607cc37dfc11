import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { BootstrapService, type Bootstrapped } from './accounts/api-keys';
import type { Installation } from './app.module';
import { createApp } from './app.setup';
import { messageOf, takeAll } from './kernel/common';
import type { CallbackPort } from './callback-port';
import type { Settings } from './kernel/config';
import { Drain } from './drain';
import { HealthService } from './kernel/health';
import { type LogDestination, Metrics, serveSandboxes } from './kernel/http';
import { JobRunner } from './kernel/jobs';
import { leftoversIn, sentenceOf } from './leftovers';
import { DeliveryRuns } from './conversations/pending-messages';
import { OpenStreams } from './outbound/event-streams';
import { OpenConnections, UnknownCallers } from './sandboxes/sandbox-access';
import { HostPresence, SandboxDrivers } from './sandboxes/sandboxes';
import { type SandboxDriver } from './sandboxes/driver-port';
import type { Prepared } from './start-up';
import { LaneDispatcher } from './outbound/webhooks';
import type { WorkerPlace } from './workers';

/** The share of requests in flight in the five seconds that a stop may take. */
const REQUEST_GRACE_MS = 3_000;

/** How long the cleanup of a failed start may take. */
const CLOSE_MS = 5_000;

/** The application, listening. */
export interface RunningApplication {
  /** The driver of new sandboxes. */
  readonly driver: SandboxDriver;
  /** User, organization and key that the first start on an empty database made; else null. */
  readonly first: Bootstrapped | null;
  /** The file the first key was written to, when it is not shown on a terminal. */
  readonly keyFile: string | null;
  /** One of its providers. @throws Error where there is none */
  get<Provider>(provider: Type<Provider>): Provider;
  /** From now on `/ready` answers 503 and connections are closed after their response; everything else goes on. */
  withdraw(): void;
  /** Finishes requests in flight and running jobs, then closes the application. */
  stop(): Promise<void>;
}

/** What an application is composed of besides a prepared installation. */
export interface Composition {
  readonly webInterface: Installation['webInterface'] | null;
  /** Where the built console is; null for none. */
  readonly consoleFolder: string | null;
  /** The address that sandboxes call; null where they have no port of their own. */
  readonly callbackPort: CallbackPort | null;
  /** Where the application logs. */
  readonly logDestination: LogDestination;
  /** Whether the caller shows the first key to a person; otherwise it is written to a file. */
  readonly showsKey: boolean;
  /** Its place among several processes; absent for a single one. */
  readonly place?: WorkerPlace | null;
}

/**
 * Composes the application on a prepared installation and listens. This is nearly all of the service's code, which
 * is why `service.ts` loads this file while PostgreSQL starts.
 * @throws StartError, and errors of listening
 */
export async function startApplication(
  { installation, dataDir }: Prepared,
  { webInterface, consoleFolder, callbackPort, logDestination, showsKey, place = null }: Composition,
): Promise<RunningApplication> {
  const { settings } = installation;
  const app = await createApp({
    ...installation,
    logDestination,
    ...(webInterface && { webInterface }),
    ...(consoleFolder !== null && { consoleFolder }),
  });
  try {
    const drain = new Drain(app.getHttpServer());
    // Finds the listeners of domain events, before the first user, organization and key are made.
    await app.init();
    const first = await app.get(BootstrapService).bootstrap();
    const keyFile = first === null || showsKey ? null : await hiddenKeyFile(first, settings, dataDir);
    const metrics = app.get(Metrics);
    if (place !== null) metrics.addTo(place.exchange(async () => [await metrics.own()]));
    await app.listen(settings.PORT, settings.HOST);
    if (settings.APP_ROLE !== 'api') void nameLeftovers(app, installation);
    if (callbackPort !== null) serveSandboxes(app.getHttpServer(), callbackPort);
    return {
      driver: app.get(SandboxDrivers).current,
      first,
      keyFile,
      get: (provider) => app.get(provider),
      withdraw: () => withdraw(app, drain),
      stop: () => stop(app, drain),
    };
  } catch (error) {
    await tryToClose(app);
    throw error;
  }
}

/** A removal that was forgotten waits for as long, and is named by each start. */
async function nameLeftovers(app: NestExpressApplication, { extensions }: Installation): Promise<void> {
  const log = new Logger('Service');
  try {
    const sentence = sentenceOf(await leftoversIn(app, extensions));
    if (sentence !== null) log.warn(sentence);
  } catch (error) {
    log.warn(`What extensions have left could not be looked up: ${messageOf(error)}`);
  }
}

/** A key that the operator set is known to them already. */
async function hiddenKeyFile(
  { key }: Bootstrapped,
  { BOOTSTRAP_KEY }: Settings,
  dataDir: Prepared['dataDir'],
): Promise<string | null> {
  return BOOTSTRAP_KEY === undefined ? dataDir.saveOwnerKey(key) : null;
}

function withdraw(app: NestExpressApplication, drain: Drain): void {
  app.get(HealthService).withdraw();
  drain.closeConnections();
}

async function stop(app: NestExpressApplication, drain: Drain): Promise<void> {
  // Drained requests end by themselves; WebSockets and streams do not.
  app.get(OpenConnections).stop();
  app.get(OpenStreams).stop();
  app.get(UnknownCallers).stop();
  // Grace periods run in parallel.
  const finishing = [
    drain.finish(REQUEST_GRACE_MS),
    app.get(JobRunner).stop(),
    app.get(DeliveryRuns).stop(),
    app.get(LaneDispatcher).stop(),
  ];
  await Promise.allSettled(finishing);
  await takeAll([...finishing.map((finished) => () => finished), () => close(app)]);
}

/** Printed before the reason why a start failed. */
async function tryToClose(app: NestExpressApplication): Promise<void> {
  const problem = await Promise.race([
    close(app).then(() => null, messageOf),
    sleep(CLOSE_MS, `It took more than ${CLOSE_MS} ms.`),
  ]);
  if (problem === null) return;
  new Logger('Service').warn(`Not everything was stopped: ${problem}`);
  // Nest keeps the log back until the application is complete.
  app.flushLogs();
}

/** `app.close` ends with the first hook that throws, as one of an extension may. What would outlive the process is ended anyway. */
function close(app: NestExpressApplication): Promise<void> {
  return takeAll([
    () => app.get(HostPresence).stop(),
    () => app.close(),
    () => app.get(SandboxDrivers).close(),
  ]);
}
