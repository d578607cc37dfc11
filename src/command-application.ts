import type { INestApplicationContext } from '@nestjs/common';
import type { Installation } from './app.module';
import { createApp } from './app.setup';
import { LogDestination } from './kernel/http';

/** Lines of JSON on standard error: a command prints its result on standard output. */
class ErrorOutput extends LogDestination {
  override write(line: string): void {
    process.stderr.write(line);
  }
}

/**
 * Composes the application for a command: a replica that runs no jobs and no sandboxes, and does not listen.
 * @returns it with its hooks called; to be closed
 * @throws StartError
 */
export async function commandApplication(installation: Installation): Promise<INestApplicationContext> {
  const app = await createApp({
    ...installation,
    settings: { ...installation.settings, APP_ROLE: 'api' },
    logDestination: new ErrorOutput(),
  });
  app.flushLogs();
  try {
    return await app.init();
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}
