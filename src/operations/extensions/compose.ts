import type { INestApplicationContext } from '@nestjs/common';
import { StartError } from '../../kernel/common';
import { refuseClashes } from './clashes';
import type { Extensions } from './extensions';
import { compositionFailure, watchHooks } from './failures';
import { type Owners, ownersOf } from './owners';

/**
 * Composes an application with extensions: what they take from the service or from each other, or fail at, is one sentence.
 * @throws StartError
 */
export async function composeWithExtensions<Application extends INestApplicationContext>(
  compose: () => Promise<Application>,
  extensions: Extensions,
): Promise<Application> {
  const app = await compose().catch((error: unknown) => {
    throw compositionFailure(error, extensions);
  });
  try {
    const owners = ownersOf(app, extensions);
    refuseClashes(app, extensions, owners);
    checkHandlers(extensions, owners);
    watchHooks(owners);
    return app;
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}

function checkHandlers({ commands }: Extensions, { modules }: Owners): void {
  for (const [name, { handler }] of Object.entries(commands))
    if (!modules.some(([{ providers }]) => providers.has(handler)))
      throw new StartError(
        `The command ${name} is run by ${handler.name}, which has to be a provider of the extension's modules.`,
      );
}
