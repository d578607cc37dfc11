import { createApp } from '../../app.setup';
import { readSettings } from '../../kernel/config';
import { gatherExtensions, type Given } from '../extensions';
import { publishedDocument } from '../../kernel/http';

/**
 * The OpenAPI document; needs no database.
 * @param given extensions besides those that `env` names
 */
export async function describeApi(
  env: Readonly<Record<string, string | undefined>>,
  given: Given,
): Promise<object> {
  const app = await createApp({
    settings: readSettings({ LOG_LEVEL: 'silent' }),
    databaseUrl: 'postgres://localhost/none',
    unconnected: true,
    secretKey: 'none',
    hostId: 'none',
    extensions: await gatherExtensions(given, env),
  });
  return publishedDocument(app);
}
