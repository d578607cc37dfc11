/** An address and a port of this host. */
export interface OpenPort {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
}

/** A sandbox's user, and where its agent server listens. */
export interface SandboxListener {
  readonly uid: number;
  readonly listens: readonly OpenPort[];
}

/** What a table of rules is made of. */
export interface FirewallState {
  readonly table: string;
  readonly sandboxes: readonly SandboxListener[];
  /** What sandboxes may reach on this host. */
  readonly tcp: readonly OpenPort[];
  readonly udp: readonly OpenPort[];
}

/** Connections of a sandbox at a time, so that the host's table of them has room for the others'. */
const MAX_CONNECTIONS = 2_048;

/**
 * For how long listeners' requests may wait without a sign of life: what a listener of TCP_DEFER_ACCEPT can make of it.
 */
const CONTESTED_FOR = '12h';

const REFUSE = 'reject with tcp reset';

/**
 * The rules as a script for `nft -f`, which takes the place of an earlier table at once. Whose listener a connection
 * would reach is known with the answer to its first packet only:
 *
 * - A sandbox's connection to this host carries the sandbox's user as a mark. An answer to it that comes from another
 *   user, or from behind a translated address, is refused. So sandboxes reach what they listen on themselves.
 * - Others' connections to a sandbox's listener get an answer only from its agent server's address and port. A listener
 *   whose queue is full answers with a cookie, which has no user; so at the ports of such listeners there are no cookies.
 *
 * Refusing resets the connection on the listener's side: what is half open there would fill its queue.
 */
export function tableScript({ table, sandboxes, tcp, udp }: FirewallState): string {
  const users = sandboxes.map(({ uid }) => uid);
  const listeners = sandboxes.flatMap(({ uid, listens }) => listens.map((one) => listener(uid, one)));
  const elementsOf = (set: string): string =>
    elements(listeners.flat().flatMap((one) => (one.set === set ? [one.element] : [])));
  return `
add table inet ${table}
delete table inet ${table}
table inet ${table} {
  set users { typeof meta skuid; ${elements(users)} }
  set marks { typeof ct mark; ${elements(users)} }
  map mark_of { typeof meta skuid : ct mark; ${elements(users.map((uid) => `${uid} : ${uid}`))} }
  set own { typeof meta skuid . ct mark; ${elements(users.map((uid) => `${uid} . ${uid}`))} }
  set tcp4 { type ipv4_addr . inet_service; ${ports(tcp, 4)} }
  set tcp6 { type ipv6_addr . inet_service; ${ports(tcp, 6)} }
  set udp4 { type ipv4_addr . inet_service; ${ports(udp, 4)} }
  set udp6 { type ipv6_addr . inet_service; ${ports(udp, 6)} }
  set servers4 { typeof meta skuid . ip saddr . tcp sport; ${elementsOf('servers4')} }
  set servers6 { typeof meta skuid . ip6 saddr . tcp sport; ${elementsOf('servers6')} }
  set servers { typeof meta skuid . meta nfproto . tcp sport; ${elementsOf('servers')} }
  set contested { type inet_service; flags dynamic, timeout; timeout ${CONTESTED_FOR}; size 65536; }
  set connections { typeof meta skuid; flags dynamic; size 65536; }
  chain output {
    type filter hook output priority -110; policy accept;
    tcp flags & (syn | ack) == syn | ack jump answer
    meta skuid @users jump sandbox
  }
  chain answer {
    meta skuid @users jump listener
    ct mark @marks ${REFUSE}
    meta skuid != @users accept
    tcp sport @contested ${REFUSE}
  }
  chain listener {
    update @contested { tcp sport }
    ct direction reply meta skuid . ct mark @own accept
    ct mark @marks ${REFUSE}
    meta skuid . ip saddr . tcp sport @servers4 accept
    meta skuid . ip6 saddr . tcp sport @servers6 accept
    meta skuid . meta nfproto . tcp sport @servers accept
    ${REFUSE}
  }
  chain sandbox {
    ct state new add @connections { meta skuid ct count over ${MAX_CONNECTIONS} } reject
    fib daddr type { local, broadcast, multicast, anycast } jump host
  }
  chain host {
    tcp flags & (syn | ack) == syn jump opening
    meta l4proto tcp accept
    ip daddr . udp dport @udp4 accept
    ip6 daddr . udp dport @udp6 accept
    reject
  }
  chain opening {
    ip daddr . tcp dport @tcp4 accept
    ip6 daddr . tcp dport @tcp6 accept
    ct mark set meta skuid map @mark_of accept
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname != "lo" tcp flags & (syn | ack) == syn | ack ct mark @marks drop
  }
}
`;
}

/** Adds a sandbox to a table; nothing happens where it is in it already. */
export function admitScript(table: string, sandbox: SandboxListener): string {
  return changes(table, sandbox)
    .map((change) => `add element ${change}\n`)
    .join('');
}

/** Takes a sandbox out of a table, whether it is in it or not. */
export function releaseScript(table: string, sandbox: SandboxListener): string {
  const removals = changes(table, sandbox).map((change) => `delete element ${change}\n`);
  return admitScript(table, sandbox) + removals.join('');
}

/** Removes a table that is there. */
export function removeScript(table: string): string {
  return `delete table inet ${table}\n`;
}

function changes(table: string, { uid, listens }: SandboxListener): string[] {
  return [
    `inet ${table} users { ${uid} }`,
    `inet ${table} marks { ${uid} }`,
    `inet ${table} mark_of { ${uid} : ${uid} }`,
    `inet ${table} own { ${uid} . ${uid} }`,
    ...listens
      .flatMap((one) => listener(uid, one))
      .map(({ set, element }) => `inet ${table} ${set} { ${element} }`),
  ];
}

/** One that listens at all addresses is let through at all: its port is nobody else's at any of them. */
function listener(uid: number, { address, family, port }: OpenPort): { set: string; element: string }[] {
  const anywhere = (families: readonly string[]): { set: string; element: string }[] =>
    families.map((name) => ({ set: 'servers', element: `${uid} . ${name} . ${port}` }));
  if (address === '0.0.0.0') return anywhere(['ipv4']);
  if (address === '::') return anywhere(['ipv4', 'ipv6']);
  return [{ set: `servers${family}`, element: `${uid} . ${address} . ${port}` }];
}

function ports(all: readonly OpenPort[], family: 4 | 6): string {
  const texts = all.flatMap((one) => (one.family === family ? [`${one.address} . ${one.port}`] : []));
  return elements([...new Set(texts)]);
}

function elements(all: readonly (string | number)[]): string {
  return all.length === 0 ? '' : `elements = { ${all.join(', ')} }`;
}
