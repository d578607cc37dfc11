import { withApplication } from '../../../command-application';
import { messageOf, StartError } from '../../../kernel/common';
import type { Settings } from '../../../kernel/config';
import { HealthChecks } from '../../../kernel/health';
import { leftoversIn, sentenceOf } from '../../../leftovers';
import type { Extensions } from '../../extensions';
import { fail, failure, type Finding, ok, warn } from '../finding';

/**
 * Composes the application as a command does: whether extensions go together with it, whether their health checks pass, and what
 * the database has that nobody has any more.
 * @param databaseUrl of a database that is migrated
 */
export async function checkApplication(
  settings: Settings,
  databaseUrl: string,
  extensions: Extensions,
): Promise<Finding[]> {
  const installation = {
    // The driver of new sandboxes is looked at by itself.
    settings: { ...settings, LOG_LEVEL: 'silent', SANDBOX_DRIVER: 'embedded' } as const,
    databaseUrl,
    secretKey: 'none',
    hostId: 'none',
    extensions,
  };
  try {
    return await withApplication(installation, async (app) => {
      const sentence = sentenceOf(await leftoversIn(app, extensions));
      const unhealthy = await app.get(HealthChecks).firstFailure();
      return [
        sentence === null
          ? ok('leftovers', 'The database has nothing of extensions that are not loaded.')
          : warn('leftovers', sentence, 'Load the extension again, or run extension:remove NAME.'),
        ...(unhealthy === null
          ? []
          : [fail('health checks', unhealthy.message, 'The log of the service has the reason.')]),
      ];
    });
  } catch (error) {
    if (error instanceof StartError) return [failure('extensions', error.message)];
    return [
      warn(
        'leftovers',
        `What is left of extensions could not be looked at: ${messageOf(error)}.`,
        'See docs/operations.md.',
      ),
    ];
  }
}
