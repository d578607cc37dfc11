/** An address and a port that sandboxes may reach on this host. */
export interface OpenPort {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
}

/** What a table of rules is made of. */
export interface FirewallState {
  readonly table: string;
  readonly users: readonly number[];
  readonly tcp: readonly OpenPort[];
  readonly udp: readonly OpenPort[];
}

/**
 * The rules as a script for `nft -f`, which takes the place of an earlier table at once. Whose listener a connection
 * would reach is known with the answer to its first packet only: a sandbox's connection to this host carries the
 * sandbox's user as a mark, and an answer to it that comes from another user, or from behind a translated address, is
 * dropped. So sandboxes reach what they listen on themselves.
 */
export function tableScript({ table, users, tcp, udp }: FirewallState): string {
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
  chain output {
    type filter hook output priority -110; policy accept;
    fib daddr type { local, broadcast, multicast, anycast } jump host
  }
  chain host {
    tcp flags & (syn | ack) == syn | ack ct mark @marks jump answer
    meta skuid @users jump sandbox
  }
  chain answer {
    meta skuid . ct mark @own accept
    drop
  }
  chain sandbox {
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

/** Adds a user to a table; nothing happens where it is in it already. */
export function admitScript(table: string, uid: number): string {
  return changes(table, uid)
    .map((change) => `add element ${change}\n`)
    .join('');
}

/** Takes a user out of a table, whether it is in it or not. */
export function releaseScript(table: string, uid: number): string {
  const removals = changes(table, uid).map((change) => `delete element ${change}\n`);
  return admitScript(table, uid) + removals.join('');
}

/** Removes a table that is there. */
export function removeScript(table: string): string {
  return `delete table inet ${table}\n`;
}

function changes(table: string, uid: number): string[] {
  return [
    `inet ${table} users { ${uid} }`,
    `inet ${table} marks { ${uid} }`,
    `inet ${table} mark_of { ${uid} : ${uid} }`,
    `inet ${table} own { ${uid} . ${uid} }`,
  ];
}

function ports(all: readonly OpenPort[], family: 4 | 6): string {
  const texts = all.flatMap((one) => (one.family === family ? [`${one.address} . ${one.port}`] : []));
  return elements([...new Set(texts)]);
}

function elements(all: readonly (string | number)[]): string {
  return all.length === 0 ? '' : `elements = { ${all.join(', ')} }`;
}
