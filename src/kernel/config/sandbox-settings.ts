import { z } from 'zod';
import { parseUuid } from '../common';
import { httpUrl, oneOf, optionalText, positive } from './setting-types';

const NETWORK = 'must be a network such as 10.213.0.0/16, of eight addresses or more';

/** Where sandboxes run. */
export const sandboxSettings = {
  SANDBOX_DRIVER: z
    .string()
    .default('embedded')
    .describe(
      'Where sandboxes run: `embedded` for trying out, `process` for the real agent server, `docker` for containers, `kubernetes` for pods, `external` for one that runs already; or a driver from outside.',
    ),
  SANDBOX_ISOLATION: oneOf(['users', 'none'])
    .default('users')
    .describe(
      'What keeps sandboxes of this host apart: `users` gives each of `process` namespaces of its own, and a user where the service is root ([what it takes](sandboxes.md#isolation)), and those of `docker` rules of the firewall. `none`, for people who trust each other: where there are no namespaces, sandboxes of `process` run as the user of the service, and those of `docker` without such rules.',
    ),
  AGENT_SERVER_COMMAND: z
    .string()
    .default('agent-server')
    .describe('What the `process` driver starts, one per sandbox.'),
  SANDBOX_IMAGE: optionalText.describe('Image of the containers of the `docker` and `kubernetes` drivers.'),
  SANDBOX_MEMORY_MEBIBYTES: positive(4096).describe(
    'Memory of one sandbox of this host, container or pod, in MiB.',
  ),
  SANDBOX_CPUS: z.coerce
    .number('must be a number')
    .positive()
    .default(2)
    .describe('Processors that one container may use, also in fractions.'),
  SANDBOX_PROCESSES: positive(4096).describe(
    'Processes and threads of one sandbox of this host, or container of the `docker` driver; of a pod, its node says.',
  ),
  SANDBOX_DISK_MEBIBYTES: positive(10_240).describe(
    'Disk that the workspace of one container may take, in MiB; beyond it the sandbox is stopped. With `kubernetes`, the size of its volume.',
  ),
  SANDBOX_INTERNET: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'What containers, pods and sandboxes in namespaces of their own reach of other hosts besides what the settings name for them (the callback address, the model unless `MODEL_GATEWAY` is on, git hosts, name servers): `on` public addresses, `off` nothing.',
    ),
  SANDBOX_WARM: z.coerce
    .number('must be a number')
    .int()
    .nonnegative()
    .default(0)
    .describe(
      'Agent servers that are pre-warmed, for each host, engine or cluster, so that a new sandbox need not wait; 0 for none. Nothing with `external`.',
    ),
  DOCKER_HOST: z
    .string()
    .regex(/^(unix:\/\/\/.|tcp:\/\/[^/@]+:\d+\/?$)/, 'must be unix:///path/of/docker.sock or tcp://host:port')
    .default('unix:///var/run/docker.sock')
    .describe('Engine of the `docker` driver: `unix:///path` or `tcp://host:port`.'),
  DOCKER_CERT_PATH: optionalText.describe(
    'Folder with `ca.pem`, `cert.pem` and `key.pem`, for TLS to an engine at `tcp:`. Without it there is none.',
  ),
  DOCKER_PUBLISH_ADDRESS: z
    .union([z.ipv4(), z.ipv6()], 'must be an IP address')
    .optional()
    .describe(
      "Address of the engine's host at which the service reaches containers. Default: that of `DOCKER_HOST`; with `unix:` containers are reached at addresses of their own.",
    ),
  DOCKER_SUBNETS: z
    .cidrv4(NETWORK)
    .refine((cidr) => Number(cidr.split('/')[1]) <= 29, NETWORK)
    .default('10.213.0.0/16')
    .describe('Where the networks of containers are taken from, eight addresses each.'),
  AGENT_SERVER_URL: httpUrl
    .refine(isPlainAddress, 'must carry no user, password or query: callers see it')
    .optional()
    .describe('The server of the `external` driver, as the service and callers reach it.'),
  AGENT_SERVER_API_KEY: optionalText.describe('The key of the `external` server.'),
  EXTERNAL_ORG_ID: optionalText
    .refine((text) => text === undefined || text === '*' || parseUuid(text) !== null, 'must be a UUID or *')
    .describe('The organization that the `external` server serves; `*` for all. Default: the bootstrap one.'),
};

/** Whether a URL has no user, password, query or fragment. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return true; // reported by another check
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}
