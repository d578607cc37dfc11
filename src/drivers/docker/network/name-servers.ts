import { readFile } from 'node:fs/promises';
import { nameServerAt, nameServers, type OpenPort } from '../../firewall/open-ports';

/** The address of systemd's resolver for the host's programs. */
const STUB = '127.0.0.53';
/** The servers that it asks, which engines give to containers in its place. */
const BEHIND_STUB = '/run/systemd/resolve/resolv.conf';

/** The name servers that an engine of this host gives to containers. */
export async function nameServersOfContainers(
  ofHost: readonly OpenPort[] = nameServers(),
  file = BEHIND_STUB,
): Promise<OpenPort[]> {
  if (!ofHost.some(({ address }) => address === STUB)) return [...ofHost];
  const text = await readFile(file, 'utf8').catch(() => '');
  const behind = [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, server = '']) =>
    nameServerAt(server),
  );
  return [...ofHost, ...behind];
}
