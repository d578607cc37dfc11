import { StartError } from '../../../kernel/common';
import { publicUrl, type Settings } from '../../../kernel/config';
import { findInterface, INTERFACE_CACHE, type InstalledInterface } from './installed-interface';

/**
 * The web interface to serve.
 * @returns null if none is installed, or `WEB_UI` is off
 * @throws StartError if it could not work at `PUBLIC_URL`
 */
export async function interfaceToServe(
  settings: Settings,
  cache = INTERFACE_CACHE,
): Promise<InstalledInterface | null> {
  const installed = settings.WEB_UI === 'off' ? null : await findInterface(cache);
  if (installed === null) return null;
  const { pathname } = new URL(publicUrl(settings));
  if (pathname === '/') return installed;
  throw new StartError(
    `PUBLIC_URL has the path ${pathname}, and the web interface works at the root of an address only: leave the path out, or set WEB_UI=off.`,
  );
}
