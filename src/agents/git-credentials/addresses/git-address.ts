import { type AllowedHosts, asIpAddress, isPublicAddress } from '../../../kernel/common';

/** Why a text is no address of a repository, for people: a clause that repeats nothing of the text. */
export class GitAddressProblem extends Error {}

/** An address of http or https, read. */
interface GitAddress {
  /** Without a user's name and without a slash at the end. */
  readonly url: string;
  /** The names in its path, decoded. */
  readonly names: readonly string[];
}

/** Tells which hosts the operator exempts from the rules for untrusted ones. */
export type ExemptHosts = Pick<AllowedHosts, 'allows'>;

/** Names that mean the machine itself, wherever they are looked up (RFC 6761). */
const LOOPBACK_NAME = /^(?:.+\.)?localhost$/;

const PARTS = /^https?:\/\/([^/?#]+)([^?#]*)$/i;

/**
 * Reads the address of a repository, of several, or of a git host. All that a server or a proxy in front of it could
 * read in another way than this does is refused, so that what is compared is what is fetched. A user's name is left
 * out: a credential says who fetches.
 * @throws GitAddressProblem
 */
export function readGitAddress(text: string): GitAddress {
  const [, authority = '', path = ''] = PARTS.exec(text.trim()) ?? [];
  if (authority === '' || !URL.canParse(text))
    throw new GitAddressProblem('the address must be of http or https, without a query or fragment');
  if (/[\p{Cc}\p{Cs}\\]/u.test(text.trim()))
    throw new GitAddressProblem('the address must not have backslashes or control characters');
  if (authority.slice(0, Math.max(0, authority.lastIndexOf('@'))).includes(':'))
    throw new GitAddressProblem('the address must not carry a password');
  const names = path.replace(/\/+$/, '').split('/').slice(1).map(nameIn);
  const url = new URL(text);
  url.username = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return { url: url.href.replace(/\/+$/, ''), names };
}

/**
 * As {@link readGitAddress}, for an address to fetch from.
 * @throws GitAddressProblem also for plain http, for literal addresses that are not public and for `localhost`, where
 *   the operator does not exempt the host
 */
export function readFetchedAddress(text: string, hosts: ExemptHosts): GitAddress {
  const address = readGitAddress(text);
  const { protocol, hostname } = new URL(address.url);
  if (hosts.allows(hostname, portOf(address.url))) return address;
  if (protocol !== 'https:') throw new GitAddressProblem('http is not allowed for this host; use https');
  const literal = asIpAddress(hostname.replace(/^\[|\]$/g, ''));
  if (literal === null ? LOOPBACK_NAME.test(hostname) : !isPublicAddress(literal))
    throw new GitAddressProblem('the host is not at a public address');
  return address;
}

/** The port that a connection is made to. */
export function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  return port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
}

/**
 * Whether an address is that of a prefix or below it, by whole names. A prefix for one repository holds with and without
 * `.git`. False for what is no address.
 */
export function isBelow(text: string, prefix: string): boolean {
  const [wanted, given] = [text, prefix].map(read);
  if (!wanted || !given || new URL(wanted.url).origin !== new URL(given.url).origin) return false;
  const startsWith = (names: readonly string[], head: readonly string[]) =>
    head.every((name, index) => names[index] === name);
  return (
    startsWith(wanted.names, given.names) ||
    startsWith(repositoryNames(wanted.names), given.names) ||
    repositoryNames(wanted.names).join('/') === repositoryNames(given.names).join('/')
  );
}

/** Names without the `.git` of the last one. */
export function repositoryNames(names: readonly string[]): string[] {
  return names.map((name, index) => (index === names.length - 1 ? name.replace(/\.git$/, '') : name));
}

function read(text: string): GitAddress | null {
  try {
    return readGitAddress(text);
  } catch (error) {
    if (error instanceof GitAddressProblem) return null;
    throw error;
  }
}

/** The name that a segment of a path stands for. */
function nameIn(segment: string): string {
  const name = decoded(segment);
  if (name === null) throw new GitAddressProblem('the address has a % that escapes nothing');
  // Decoded as often as servers one behind the other may do it.
  for (let before = segment, now: string | null = name; ; [before, now] = [now, decoded(now)]) {
    if (leadsElsewhere(before))
      throw new GitAddressProblem(
        'the path of the address must not lead elsewhere: no dots, slashes or backslashes in place of names, escaped or not',
      );
    if (now === null || now === before) return name;
  }
}

/** Parameters behind a semicolon are taken off by some servers; of letters of other widths the usual ones are made. */
function leadsElsewhere(segment: string): boolean {
  const text = segment.normalize('NFKC');
  return /[\p{Cc}\\/]/u.test(text) || ['', '.', '..'].includes(text.split(';')[0]?.trim() ?? '');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
