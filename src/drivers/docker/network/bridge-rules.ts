import { NOT_PUBLIC_IPV4 } from '../../../kernel/common';
import type { OpenPort } from '../../firewall/open-ports';

/** The input of the rules for the bridges of an installation. */
interface BridgeRules {
  readonly table: string;
  /** The prefix of the names of its bridges. */
  readonly prefix: string;
  /** Addresses that sandboxes may always reach: callback address, model, git hosts, name servers. */
  readonly tcp: readonly OpenPort[];
  readonly udp: readonly OpenPort[];
  /** Whether they may reach public addresses. */
  readonly internet: boolean;
}

/** Connections of a container at a time, so that the host's table of them has room for the others'. */
const MAX_CONNECTIONS = 2_048;

const REFUSE = 'reject with icmpx admin-prohibited';

/**
 * The rules as a script for `nft -f`, which takes the place of earlier ones at once and goes on with their count of
 * connections. They only refuse: what they let through is still subject to the rules of the engine. Sandboxes are known by
 * the bridge that each has alone.
 */
export function bridgeScript({ table, prefix, tcp, udp, internet }: BridgeRules): string {
  const bridges = `"${prefix}*"`;
  return `
table inet ${table} {
  set tcp4 { type ipv4_addr . inet_service; }
  set udp4 { type ipv4_addr . inet_service; }
}
flush table inet ${table}
flush set inet ${table} tcp4
flush set inet ${table} udp4
table inet ${table} {
  set tcp4 { type ipv4_addr . inet_service; ${ports(tcp)} }
  set udp4 { type ipv4_addr . inet_service; ${ports(udp)} }
  set private { type ipv4_addr; flags interval; elements = { ${NOT_PUBLIC_IPV4.join(', ')} } }
  set connections { type ifname; flags dynamic; size 65536; }
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
    jump count
    ip daddr . tcp dport @tcp4 accept
    ip daddr . udp dport @udp4 accept
    ${REFUSE}
  }
  chain elsewhere {
    jump count
    oifname ${bridges} ${REFUSE}
    ip daddr . tcp dport @tcp4 accept
    ip daddr . udp dport @udp4 accept
    ip daddr @private ${REFUSE}
    meta nfproto ipv6 ${REFUSE}
    ${internet ? 'accept' : REFUSE}
  }
  chain count {
    ct state new add @connections { iifname ct count over ${MAX_CONNECTIONS} } ${REFUSE}
  }
}
`;
}

function ports(all: readonly OpenPort[]): string {
  const texts = all.flatMap(({ address, family, port }) => (family === 4 ? [`${address} . ${port}`] : []));
  return texts.length === 0 ? '' : `elements = { ${[...new Set(texts)].join(', ')} }`;
}
