import { lookup } from 'node:dns/promises';
import { StartError } from '../kernel/common';
import { publicUrl, type Settings, sandboxUrl } from '../kernel/config';
import { namespaceProblem } from './launch/namespaces';

const OF_PROCESSES = ['embedded', 'process'];
const IN_CONTAINERS = ['docker', 'kubernetes'];
const ALL = ['0.0.0.0', '::'];
/** One host to people: `localhost` stands for both. */
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Fails the start of a service that people sign in at whose agents could listen at a host name of it: browsers send cookies to
 * all ports of a host name, so that a link to such a port would bring an agent the session of who follows it
 * (docs/sandboxes.md#addresses). What has no agents with tools, or does not keep them apart at all, is left alone.
 * @throws StartError
 */
export async function checkListeningHost(settings: Settings): Promise<void> {
  const { SANDBOX_HOST, SANDBOX_PUBLIC_URL, DOCKER_PUBLISH_ADDRESS, HOST } = settings;
  const published = IN_CONTAINERS.includes(settings.SANDBOX_DRIVER) ? DOCKER_PUBLISH_ADDRESS : undefined;
  if (published === undefined && (!runsProcesses(settings) || namespaceProblem() !== null)) return;
  const { hostname, protocol } = new URL(publicUrl(settings));
  const address = sandboxUrl(settings, 1);
  // Callers of containers come by the door.
  if (
    published === undefined &&
    SANDBOX_PUBLIC_URL !== undefined &&
    URL.canParse(address) &&
    new URL(address).hostname === hostname
  )
    throw new StartError(refusal('SANDBOX_PUBLIC_URL', SANDBOX_PUBLIC_URL));
  // Over https only is that cookie sent, and agents have no certificate of that name.
  if (protocol === 'https:') return;
  const ofWeb = [...(await addressesOf(hostname)), ...(await addressesOf(HOST))];
  const isTheSame = (address: string): boolean => ALL.includes(address) || ofWeb.includes(address);
  if ((await addressesOf(published ?? SANDBOX_HOST)).some(isTheSame))
    throw new StartError(
      published === undefined
        ? refusal('SANDBOX_HOST', SANDBOX_HOST)
        : refusal('DOCKER_PUBLISH_ADDRESS', published),
    );
}

/**
 * What an operator should know of a service with a web interface that has no second port: its sandboxes call at the first one,
 * where sessions count (docs/sandboxes.md#calls-of-sandboxes). Null where agents have no tools, or are not kept apart at all.
 */
export function callbackPortAdvice(settings: Settings): string | null {
  const { SANDBOX_DRIVER } = settings;
  const isKeptApart =
    IN_CONTAINERS.includes(SANDBOX_DRIVER) || (runsProcesses(settings) && namespaceProblem() === null);
  if (!isKeptApart) return null;
  return (
    'Sandboxes call the service at the port of the web interface, where the session of whoever is signed in counts: set ' +
    'CALLBACK_PORT, and a CALLBACK_URL that leads there.'
  );
}

/** Whether this process starts sandboxes that are processes of this host. */
export function runsProcesses({ APP_ROLE, SANDBOX_DRIVER }: Settings): boolean {
  return APP_ROLE !== 'api' && OF_PROCESSES.includes(SANDBOX_DRIVER);
}

function refusal(setting: string, value: string): string {
  return (
    `${setting} ${value} is at a host name of the service, whose sessions browsers would send to agents: they do not ` +
    'tell ports apart. Name another host, leave it out, or set WEB_UI=off.'
  );
}

/** What a host stands for; nothing where that is not known, which fails elsewhere. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => []);
  const addresses = found.map(({ address }) => address);
  return addresses.some((address) => LOOPBACK.includes(address)) ? [...addresses, ...LOOPBACK] : addresses;
}
