import type { OpenPort } from '../firewall/firewall-rules';

/** What the rules for the bridges of an installation are made of. */
export interface BridgeRules {
  readonly table: string;
  /** What the names of its bridges begin with. */
  readonly prefix: string;
  /** What sandboxes may reach wherever it is: the callback address, the model, git hosts, name servers. */
  readonly tcp: readonly OpenPort[];
  readonly udp: readonly OpenPort[];
  /** Whether they may reach public addresses. */
  readonly internet: boolean;
}

/** Addresses that are not of the internet: private networks, the metadata of clouds, this host, many hosts at once. */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3'],
];

const REFUSE = 'reject with icmpx admin-prohibited';

/**
 * The rules as a script for `nft -f`, which takes the place of an earlier table at once. They only refuse: what they let
 * through is still subject to the rules of the engine. Sandboxes are known by the bridge that each has alone.
 */
export function bridgeScript({ table, prefix, tcp, udp, internet }: BridgeRules): string {
  const bridges = `"${prefix}*"`;
  return `
add table inet ${table}
delete table inet ${table}
table inet ${table} {
  set tcp4 { type ipv4_addr . inet_service; ${ports(tcp)} }
  set udp4 { type ipv4_addr . inet_service; ${ports(udp)} }
  set private { type ipv4_addr; flags interval; elements = { ${NOT_PUBLIC.join(', ')} } }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    iifname ${bridges} ct state != { established, related } jump host
  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    ct state { established, related } accept
    iifname ${bridges} jump elsewhere
    oifname ${bridges} ct status & dnat == 0 ${REFUSE}
  }
  chain host {
    ip daddr . tcp dport @tcp4 accept
    ip daddr . udp dport @udp4 accept
    ${REFUSE}
  }
  chain elsewhere {
    oifname ${bridges} ${REFUSE}
    ip daddr . tcp dport @tcp4 accept
    ip daddr . udp dport @udp4 accept
    ip daddr @private ${REFUSE}
    meta nfproto ipv6 ${REFUSE}
    ${internet ? 'accept' : REFUSE}
  }
}
`;
}

function ports(all: readonly OpenPort[]): string {
  const texts = all.flatMap(({ address, family, port }) => (family === 4 ? [`${address} . ${port}`] : []));
  return texts.length === 0 ? '' : `elements = { ${[...new Set(texts)].join(', ')} }`;
}
