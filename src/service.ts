import { createServer } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type Bootstrapped, BootstrapService } from './api-keys';
import { createApp } from './app.setup';
import { StartError } from './common';
import type { Settings } from './config';
import { Drain } from './drain';
import { JobRunner } from './jobs';
import { DeliveryRuns } from './pending-messages';
import { OpenConnections, UnknownCallers } from './sandbox-access';
import { checkSandboxIsolation, freeApiPort, type SandboxDriver, SandboxDrivers } from './sandboxes';
import { checkMarketplaceSettings } from './skills';
import { type InstalledInterface, interfaceToServe } from './web-interface';
import { prepare, type Prepared, type StartLog } from './start-up';

/** The share of requests in flight in the five seconds that a stop may take. */
const REQUEST_GRACE_MS = 3_000;

/** A service that is listening. */
export interface RunningService {
  /** As given, with the actual port. */
  readonly settings: Settings;
  /** The driver of new sandboxes. */
  readonly driver: SandboxDriver;
  /** The web interface it serves, or null. */
  readonly webInterface: InstalledInterface | null;
  /** User, organization and key that the first start on an empty database made; else null. */
  readonly first: Bootstrapped | null;
  /** The file the first key was written to, when it is not shown on a terminal. */
  readonly keyFile: string | null;
  /** Resolves when the service cannot go on. */
  readonly lost: Promise<StartError>;
  /** Finishes requests in flight and running jobs, then ends everything. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service and listens.
 * @param showsKey whether the caller shows the first key to a person; otherwise it is written to a file
 * @throws SettingsError, StartError
 */
export async function startService(
  given: Settings,
  log: StartLog,
  showsKey: boolean,
): Promise<RunningService> {
  checkMarketplaceSettings(given);
  checkSandboxIsolation(given);
  await freeApiPort(given, log);
  const settings = { ...given, PORT: await freePort(given) };
  const webInterface = await interfaceToServe(settings);
  const prepared = await prepare(settings, 'service', log);
  let app: NestExpressApplication | undefined;
  try {
    app = await createApp({ ...prepared.installation, ...(webInterface && { webInterface }) });
    const drain = new Drain(app.getHttpServer());
    // Finds the listeners of domain events, before the first user, organization and key are made.
    await app.init();
    const first = await app.get(BootstrapService).bootstrap();
    const hidden = first !== null && !showsKey && settings.BOOTSTRAP_KEY === undefined;
    const keyFile = hidden ? await prepared.dataDir.saveOwnerKey(first.key) : null;
    await app.listen(settings.PORT, settings.HOST);
    return {
      settings,
      driver: app.get(SandboxDrivers).current,
      webInterface,
      first,
      keyFile,
      lost: prepared.lost,
      stop: stopper(app, drain, prepared),
    };
  } catch (error) {
    await app?.close();
    await prepared.close();
    throw listenProblem(error, settings) ?? error;
  }
}

function stopper(app: NestExpressApplication, drain: Drain, prepared: Prepared): () => Promise<void> {
  const stop = async (): Promise<void> => {
    // Drained requests end by themselves; WebSockets do not.
    app.get(OpenConnections).stop();
    app.get(UnknownCallers).stop();
    await Promise.allSettled([
      drain.finish(REQUEST_GRACE_MS),
      app.get(JobRunner).stop(),
      app.get(DeliveryRuns).stop(),
    ]);
    await app.close();
    await prepared.close();
  };
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}

/** Checks the port before anything is started, and picks one for `PORT=0`, since sandboxes need to know it. */
function freePort({ HOST, PORT }: Settings): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(listenProblem(error, { HOST, PORT }) ?? error));
    probe.listen(PORT, HOST, () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : PORT;
      probe.close(() => resolve(port));
    });
  });
}

function listenProblem(error: unknown, { HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>): StartError | null {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${PORT} on ${HOST} is in use. Stop what listens there, or set PORT.`,
    EACCES: `Port ${PORT} needs more rights than this user has. Set PORT to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${HOST} is no address of this machine.`,
    ENOTFOUND: `HOST ${HOST} is not known.`,
  };
  const listening = error instanceof Error && 'syscall' in error && error.syscall !== 'connect';
  const sentence = listening ? sentences[String(code)] : undefined;
  return sentence === undefined ? null : new StartError(sentence, { cause: error });
}
