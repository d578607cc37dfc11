import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isOfCloud } from '../../kernel/common';
import { addressesForSandboxes, type Settings } from '../../kernel/config';

/** An address and a port of this host. */
export interface OpenPort {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
}

const DNS_PORT = 53;

/**
 * What agents need of this host: the callback address, and what the operator names for them: models, git hosts.
 */
export async function openTcpPorts(settings: Settings): Promise<OpenPort[]> {
  const found = await Promise.all(addressesForSandboxes(settings).map(portsOf));
  return [...found.flat(), ...nameServers()];
}

/** The name servers of this host, which may run on it. */
export function nameServers(): OpenPort[] {
  return getServers().flatMap(nameServerAt);
}

/** A name server as systems write it: an address, which may have a port. */
export function nameServerAt(server: string): OpenPort[] {
  const address = server.replace(/%.*$/, '');
  const url = isIP(address) === 6 ? `http://[${address}]` : `http://${address}`;
  if (!URL.canParse(url)) return [];
  const { hostname, port } = new URL(url);
  return open(hostname, port === '' ? DNS_PORT : Number(port));
}

/**
 * A port at what a host name or address stands for; nothing where it is not known. A name opens nothing where clouds answer
 * with credentials: who decides what it stands for is not who wrote the settings.
 */
export async function portAt(host: string, port: number): Promise<OpenPort[]> {
  const literal = open(host, port);
  if (literal.length > 0) return literal;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.flatMap(({ address }) => (isOfCloud(address) ? [] : open(address, port)));
}

function portsOf(text: string): Promise<OpenPort[]> {
  const { hostname, port, protocol } = new URL(text);
  return portAt(hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));
}

function open(host: string, port: number): OpenPort[] {
  // A link-local one may name its interface.
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const family = isIP(address);
  return family === 4 || family === 6 ? [{ address, family, port }] : [];
}
