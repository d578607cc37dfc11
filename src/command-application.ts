import { type INestApplicationContext, Logger } from '@nestjs/common';
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
 * @param task is given it with its hooks called; afterwards it is closed
 * @throws StartError, and what the task throws
 */
export async function withApplication<Result>(
  installation: Installation,
  task: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const app = await createApp({
    ...installation,
    settings: { ...installation.settings, APP_ROLE: 'api' },
    logDestination: new ErrorOutput(),
  });
  app.flushLogs();
  try {
    return await task(await app.init());
  } finally {
    // What it came to counts, whatever fails afterwards.
    await app.close().catch((error: unknown) => {
      new Logger('Commands').warn({ err: error }, 'The command has ended without having stopped everything.');
    });
  }
}
