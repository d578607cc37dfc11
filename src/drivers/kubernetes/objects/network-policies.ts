import { isIP } from 'node:net';
import { NOT_PUBLIC_IPV4 } from '../../../kernel/common';
import { addressesForSandboxes, type Settings } from '../../../kernel/config';
import { MANAGED_BY, SERVICE } from './labels';
import { AGENT_SERVER_PORT } from './pod-template';

/** All but global addresses, and of these those that stand for an address of IPv4, or for nothing. */
const GLOBAL_V6 = '2000::/3';
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/** Where the service's own pods are; null where it does not run in the cluster. */
export interface ServicePods {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * What sandboxes may reach, and who reaches them: the service alone, at the port of the agent server; and from them the
 * service's callback, names, and the internet. Not one another, nor anything else of the cluster.
 */
export function networkPolicy(
  namespace: string,
  settings: Settings,
  service: ServicePods | null,
): Record<string, unknown> {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'sandboxes', namespace, labels: { [MANAGED_BY]: SERVICE } },
    spec: {
      podSelector: { matchLabels: { [MANAGED_BY]: SERVICE } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: service === null ? [] : [{ from: [podsOf(service)], ports: [tcp(AGENT_SERVER_PORT)] }],
      egress: [
        names(),
        ...(service === null
          ? []
          : [{ to: [podsOf(service)], ports: [tcp(settings.CALLBACK_PORT ?? settings.PORT)] }]),
        ...addressesOf(settings),
        ...(settings.SANDBOX_INTERNET === 'on' ? [internet()] : []),
      ],
    },
  };
}

/** Labels as in a selector: `name=value,name=value`. */
export function parseLabels(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim().split('='));
  return Object.fromEntries(pairs.flatMap(([name = '', value = '']) => (name === '' ? [] : [[name, value]])));
}

function podsOf({ namespace, labels }: ServicePods): Record<string, unknown> {
  return {
    namespaceSelector: { matchLabels: { [NAMESPACE_NAME]: namespace } },
    podSelector: { matchLabels: labels },
  };
}

/** The name servers of the cluster. */
function names(): Record<string, unknown> {
  return {
    to: [
      {
        namespaceSelector: { matchLabels: { [NAMESPACE_NAME]: 'kube-system' } },
        podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
      },
    ],
    ports: [{ protocol: 'UDP', port: 53 }, tcp(53)],
  };
}

/** What settings name by its address; names are those of services or of the internet. */
function addressesOf(settings: Settings): Record<string, unknown>[] {
  return addressesForSandboxes(settings).flatMap((text) => {
    const { hostname, port, protocol } = new URL(text);
    const address = hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) === 0) return [];
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
    return [
      { to: [{ ipBlock: { cidr: `${address}/${isIP(address) === 4 ? 32 : 128}` } }], ports: [tcp(number)] },
    ];
  });
}

function internet(): Record<string, unknown> {
  return {
    to: [
      { ipBlock: { cidr: '0.0.0.0/0', except: NOT_PUBLIC_IPV4 } },
      { ipBlock: { cidr: GLOBAL_V6, except: PRIVATE_V6 } },
    ],
  };
}

function tcp(port: number): Record<string, unknown> {
  return { protocol: 'TCP', port };
}
