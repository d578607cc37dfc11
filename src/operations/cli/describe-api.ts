import { createApp } from '../../app.setup';
import { readSettings } from '../../kernel/config';
import { gatherExtensions } from '../extensions';
import { publishedDocument } from '../../kernel/http';

/** The OpenAPI document with the extensions that `env` names; needs no database. */
export async function describeApi(env: Readonly<Record<string, string | undefined>>): Promise<object> {
  const app = await createApp({
    settings: readSettings({ LOG_LEVEL: 'silent' }),
    databaseUrl: 'postgres://localhost/none',
    unconnected: true,
    secretKey: 'none',
    hostId: 'none',
    extensions: await gatherExtensions([], env),
  });
  return publishedDocument(app);
}
