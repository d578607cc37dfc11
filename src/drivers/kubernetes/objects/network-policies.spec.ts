import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { readSettings } from '../../../kernel/config';
import { networkPolicy, type ServicePods } from './network-policies';

const SETTINGS = {
  SANDBOX_DRIVER: 'kubernetes',
  SANDBOX_IMAGE: 'image',
  PORT: '3000',
  CALLBACK_URL: 'http://10.9.9.9:3000',
  LLM_BASE_URL: 'https://models.example',
  GIT_ALLOWED_HOSTS: '10.8.8.8:8080,git.example',
  LLM_ALLOWED_HOSTS: '10.7.7.7:11434',
};
const SERVICE: ServicePods = { namespace: 'services', labels: { app: 'service' } };

const labels = z.record(z.string(), z.string());
const selector = z.object({ matchLabels: labels });
const peer = z.union([
  z.strictObject({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).default([]) }) }),
  z.strictObject({ namespaceSelector: selector, podSelector: selector }),
]);
const ports = z.array(z.object({ protocol: z.string(), port: z.number() })).optional();
const policySchema = z.object({
  podSelector: selector,
  policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
  ingress: z.array(z.object({ from: z.array(peer), ports })),
  egress: z.array(z.object({ to: z.array(peer), ports })),
});
type Peer = z.infer<typeof peer>;

/** Something that a packet goes to or comes from: a pod, also by its address, or an address that is no pod's. */
interface End {
  readonly address: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a network plug-in makes of the policy: whoever is not named is kept out. */
function policyOf(env: Readonly<Record<string, string>> = {}, service: ServicePods | null = SERVICE) {
  const policy = networkPolicy('sandboxes', readSettings({ ...SETTINGS, ...env }), service);
  const { ingress, egress } = policySchema.parse(policy.spec);
  const opens = (at: z.infer<typeof ports>, port: number, protocol: string): boolean =>
    at === undefined || at.some((one) => one.port === port && one.protocol === protocol);
  return {
    admits: (from: End, port: number): boolean =>
      ingress.some((rule) => opens(rule.ports, port, 'TCP') && rule.from.some((one) => isOf(one, from))),
    reaches: (to: End, port: number, protocol = 'TCP'): boolean =>
      egress.some((rule) => opens(rule.ports, port, protocol) && rule.to.some((one) => isOf(one, to))),
  };
}

function isOf(one: Peer, { address, namespace, labels: own = {} }: End): boolean {
  if ('ipBlock' in one) return isIn(address, [one.ipBlock.cidr]) && !isIn(address, one.ipBlock.except);
  const { namespaceSelector, podSelector } = one;
  return (
    namespaceSelector.matchLabels['kubernetes.io/metadata.name'] === namespace &&
    Object.entries(podSelector.matchLabels).every(([name, value]) => own[name] === value)
  );
}

function isIn(address: string, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits = ''] = network.split('/');
    if (isIP(base) === isIP(address)) list.addSubnet(base, Number(bits), isIP(base) === 4 ? 'ipv4' : 'ipv6');
  }
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const neighbour = {
  address: '10.1.0.7',
  namespace: 'sandboxes',
  labels: { 'app.kubernetes.io/managed-by': 'org-conversation-service' },
};
const service = { address: '10.1.0.8', namespace: 'services', labels: { app: 'service' } };

it('lets the service in, at the port of the agent server, and nobody else', () => {
  const { admits } = policyOf();
  expect(admits(service, 8000)).toBe(true);
  expect(admits(service, 22)).toBe(false);
  expect(admits({ ...service, namespace: 'others' }, 8000)).toBe(false);
  expect(admits({ ...service, labels: { app: 'another' } }, 8000)).toBe(false);
  expect(admits(neighbour, 8000)).toBe(false);
  expect(admits({ address: '203.0.113.1' }, 8000)).toBe(false);
  expect(policyOf({}, null).admits(service, 8000)).toBe(false);
});

it.each([
  ['a neighbour', neighbour, 8000],
  ['an API server within the cluster', { address: '10.96.0.1' }, 443],
  ['a node', { address: '192.168.1.10' }, 10_250],
  ["a cloud's metadata", { address: '169.254.169.254' }, 80],
  ['another one', { address: '100.100.100.200' }, 80],
  ["what gives Azure's nodes their credentials", { address: '168.63.129.16' }, 80],
  ['metadata over IPv6', { address: 'fd00:ec2::254' }, 80],
  ['an address of IPv4 in one of IPv6', { address: '::ffff:10.0.0.1' }, 80],
  ['one behind a relay', { address: '2002:a00:1::' }, 80],
  ['the service at another port', service, 5432],
  ['pods beside the service', { ...service, labels: { app: 'database' } }, 3000],
])('keeps sandboxes from %s', (_, to, port) => {
  expect(policyOf().reaches(to, port)).toBe(false);
});

it('lets sandboxes reach the service, what settings name by its address, name servers, and public addresses', () => {
  const { reaches } = policyOf();
  const dns = { address: '10.1.0.2', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
  expect(reaches(service, 3000)).toBe(true);
  expect(reaches({ address: '10.9.9.9' }, 3000)).toBe(true);
  expect(reaches({ address: '10.9.9.9' }, 5432)).toBe(false);
  expect(reaches({ address: '10.8.8.8' }, 8080)).toBe(true);
  expect(reaches({ address: '10.7.7.7' }, 11434)).toBe(true);
  expect(reaches(dns, 53, 'UDP')).toBe(true);
  expect(reaches(dns, 8080)).toBe(false);
  expect(reaches({ address: '140.82.121.4' }, 443)).toBe(true);
  expect(reaches({ address: '2606:4700::1111' }, 443)).toBe(true);
});

it('keeps them from public addresses too, where they are not wanted', () => {
  const { reaches } = policyOf({ SANDBOX_INTERNET: 'off' });
  expect(reaches({ address: '140.82.121.4' }, 443)).toBe(false);
  expect(reaches({ address: '2606:4700::1111' }, 443)).toBe(false);
  expect(reaches(service, 3000)).toBe(true);
});

it('keeps them from models that settings name, where agents reach these through the gateway', () => {
  const { reaches } = policyOf({ MODEL_GATEWAY: 'on', LLM_BASE_URL: 'https://10.6.6.6' });
  expect(policyOf({ LLM_BASE_URL: 'https://10.6.6.6' }).reaches({ address: '10.6.6.6' }, 443)).toBe(true);
  expect(reaches({ address: '10.6.6.6' }, 443)).toBe(false);
  expect(reaches({ address: '10.7.7.7' }, 11434)).toBe(false);
  expect(reaches({ address: '10.8.8.8' }, 8080)).toBe(true);
  expect(reaches({ address: '10.9.9.9' }, 3000)).toBe(true);
});
