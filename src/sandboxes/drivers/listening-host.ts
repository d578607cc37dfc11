import { lookup } from 'node:dns/promises';
import { StartError } from '../../common';
import { publicUrl, type Settings, sandboxUrl } from '../../config';
import { namespaceProblem } from './launch/namespaces';

const OF_PROCESSES = ['embedded', 'process'];
const ALL = ['0.0.0.0', '::'];
/** One host to people: `localhost` stands for both. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Fails the start of a service with a web interface whose agents could listen at a host name of it: browsers send cookies to
 * all ports of a host name, so that a link to such a port would bring an agent the session of who follows it
 * (docs/sandboxes.md#addresses). What has no agents with tools, or does not keep them apart at all, is left alone.
 * @throws StartError
 */
export async function checkListeningHost(settings: Settings): Promise<void> {
  const { SANDBOX_HOST, SANDBOX_PUBLIC_URL, HOST } = settings;
  if (!runsProcesses(settings) || namespaceProblem() !== null) return;
  const { hostname, protocol } = new URL(publicUrl(settings));
  const told = sandboxUrl(settings, 1);
  if (SANDBOX_PUBLIC_URL !== undefined && URL.canParse(told) && new URL(told).hostname === hostname)
    throw new StartError(refusal('SANDBOX_PUBLIC_URL', SANDBOX_PUBLIC_URL));
  // Over https only is that cookie sent, and agents have no certificate of that name.
  if (protocol === 'https:') return;
  const ofWeb = [...(await addressesOf(hostname)), ...(await addressesOf(HOST))];
  const isTheSame = (address: string): boolean => ALL.includes(address) || ofWeb.includes(address);
  if ((await addressesOf(SANDBOX_HOST)).some(isTheSame))
    throw new StartError(refusal('SANDBOX_HOST', SANDBOX_HOST));
}

/** Whether this process starts sandboxes that are processes of this host. */
export function runsProcesses({ APP_ROLE, SANDBOX_DRIVER }: Settings): boolean {
  return APP_ROLE !== 'api' && OF_PROCESSES.includes(SANDBOX_DRIVER);
}

function refusal(setting: string, value: string): string {
  return (
    `${setting} ${value} is at a host name of the web interface, whose sessions browsers would send to agents: they do not ` +
    'tell ports apart. Name another host, leave it out, or set WEB_UI=off.'
  );
}

/** What a host stands for; nothing where that is not known, which fails elsewhere. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => []);
  const addresses = found.map(({ address }) => address);
  return addresses.some((address) => LOOPBACK.includes(address)) ? [...addresses, ...LOOPBACK] : addresses;
}
