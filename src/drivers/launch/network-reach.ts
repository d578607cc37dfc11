import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { CLOUD_ADDRESSES } from '../../kernel/common';
import { callbackPortOfLoopback, type Settings } from '../../kernel/config';
import { nameServers, type OpenPort, openTcpPorts } from '../firewall/open-ports';

/** Addresses for documents, which are no host's: a sandbox's own, its way out, and a name server. */
const NETWORK = { own: '198.51.100.2', bits: '29', gateway: '198.51.100.1', nameServer: '198.51.100.3' };
const LOOPBACK = ['127.0.0.1', '::1'];
/** Multicast and broadcast, which reach this host whatever its addresses are. */
const TO_MANY = ['224.0.0.0/4', '255.255.255.255'];
/** The metadata services of clouds: they give a machine its configuration, credentials included, whatever process asks. */
const METADATA = ['169.254.0.0/16', ...CLOUD_ADDRESSES];

/** The addresses that a sandbox reaches, and the one at which it is reached. */
export interface NetworkReach {
  /** Arguments of `pasta`. */
  readonly passing: readonly string[];
  /** Batches for `ip` in the sandbox's network: of IPv4, and of IPv6. */
  readonly rules: readonly [string, string];
  /** The `/etc/resolv.conf` of the sandbox; null for that of the host. */
  readonly resolver: string | null;
}

/**
 * The ways into and out of the network of a sandbox. In is the port of its agent server only. Out are, of this host, what
 * the settings name and its name servers, and all other hosts (docs/sandboxes.md#isolation). Loopback in the sandbox is the
 * sandbox's own; what the settings name on the host's is passed through, at the same port.
 * @param listens the address and port of this host at which the agent server is reached; null for nowhere
 */
export async function networkReach(
  settings: Settings,
  listens: { readonly host: string; readonly port: number } | null,
): Promise<NetworkReach> {
  const open = await openTcpPorts(settings);
  const passed = open.filter(({ address }) => LOOPBACK.includes(address)).map(({ port }) => port);
  const isLocal = getServers().some((server) => isLoopback(server));
  // Name servers on loopback are reached at the address that stands for them.
  const ports = [...new Set(passed)].filter((port) => !isLocal || port !== 53);
  const callback = callbackPortOfLoopback(settings);
  // To where no session counts: at the service's own port those of all browsers of this host do.
  const ways = ports.map((port) => (port === callback ? `${port}:${settings.CALLBACK_PORT ?? port}` : port));
  const { own, bits, gateway, nameServer } = NETWORK;
  return {
    passing: [
      '--config-net',
      '--no-map-gw',
      '-a',
      own,
      '-n',
      bits,
      '-g',
      gateway,
      '-u',
      'none',
      '-U',
      'none',
      '-T',
      ways.length === 0 ? 'none' : ways.join(','),
      '-t',
      listens === null ? 'none' : `${await addressOf(listens.host)}/${listens.port}`,
      ...(isLocal ? ['--dns-forward', nameServer] : []),
    ],
    rules: [rules(open, 4) + boundary(settings, 4), rules(open, 6) + boundary(settings, 6)],
    resolver: isLocal ? `nameserver ${nameServer}\n` : null,
  };
}

/** Routes by destination: the open addresses of this host, then no others of it. */
function rules(open: readonly OpenPort[], family: 4 | 6): string {
  const way = (protocol: string, { address, port }: OpenPort): string =>
    `rule add pref 100 to ${address} ipproto ${protocol} dport ${port} lookup main`;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const closed = own.flatMap((one) => (isIP(one.address) === family && !one.internal ? [one.address] : []));
  const hasFamily = family === 4 || hasIpv6();
  const metadata = METADATA.filter((one) => hasFamily && one.includes(':') === (family === 6));
  const isWanted = (one: OpenPort): boolean => one.family === family;
  const lines = [
    ...open.filter(isWanted).map((one) => way('tcp', one)),
    ...nameServers()
      .filter(isWanted)
      .map((one) => way('udp', one)),
    ...[...closed, ...metadata, ...(family === 4 ? TO_MANY : [])].map(
      (address) => `rule add pref 200 to ${address} prohibit`,
    ),
  ];
  // Two settings may name one address, and two interfaces have one; `ip` fails on a rule that is there.
  return [...new Set(lines)].map((line) => `${line}\n`).join('');
}

/** Without the internet, other hosts are closed that no rule before has opened; its own network stays, where names are asked for. */
function boundary({ SANDBOX_INTERNET }: Settings, family: 4 | 6): string {
  if (SANDBOX_INTERNET === 'on' || (family === 6 && !hasIpv6())) return '';
  if (family === 6) return 'rule add pref 300 to ::/0 prohibit\n';
  const own = `${NETWORK.own}/${NETWORK.bits}`;
  return `rule add pref 250 to ${own} lookup main\nrule add pref 300 to 0.0.0.0/0 prohibit\n`;
}

/** A host without IPv6 may have no rules of it either. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some(
    (all) => all?.some(({ family }) => family === 'IPv6') === true,
  );
}

async function addressOf(host: string): Promise<string> {
  return isIP(host) === 0 ? (await lookup(host)).address : host;
}

function isLoopback(server: string): boolean {
  return ipaddr.isValid(server) && ipaddr.process(server).range() === 'loopback';
}
