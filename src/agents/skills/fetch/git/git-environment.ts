import { devNull } from 'node:os';
import type { Settings } from '../../../../kernel/config';
import { parseUuid } from '../../../../kernel/common';
import { isBelow, readGitAddress } from '../../../git-credentials';

export interface GitContext {
  /** Folder of this fetch only; git's home. */
  readonly folder: string;
  /** The bare repository in it. */
  readonly repository: string;
  /** URL that is cloned. */
  readonly url: string;
  /** Git's only access to the network. */
  readonly proxyUrl: string;
  readonly credential: GitCredential | null;
}

/**
 * The whole environment of a git that handles an untrusted repository: none of this machine's configuration,
 * nothing that starts another program, no network access except the proxy. URLs and credentials are passed here and
 * not as arguments, which every user of the machine can read.
 */
export function gitEnvironment(context: GitContext): Record<string, string> {
  const settings = [...SETTINGS, ...networkSettings(context)];
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    HOME: context.folder,
    TMPDIR: context.folder,
    GIT_DIR: context.repository,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: 'http:https',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Read by the transport as well, so that no version of git bypasses the proxy.
    http_proxy: context.proxyUrl,
    https_proxy: context.proxyUrl,
    all_proxy: context.proxyUrl,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.ext.allow', 'never'],
  ['protocol.file.allow', 'never'],
  ['protocol.version', '2'],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['transfer.bundleURI', 'false'],
  // Keep the pack as received: unpacking an untrusted, highly compressed one could fill the disk.
  ['transfer.unpackLimit', '1'],
  ['core.bigFileThreshold', '1m'],
  ['core.deltaBaseCacheLimit', '16m'],
  // The repository is temporary and need not survive a power cut.
  ['core.fsync', 'none'],
  ['pack.threads', '1'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.proxyAuthMethod', 'basic'],
  ['http.saveCookies', 'false'],
];

function networkSettings({ url, proxyUrl, credential }: GitContext): [string, string][] {
  const settings: [string, string][] = [
    ['remote.origin.url', url],
    ['http.proxy', proxyUrl],
  ];
  if (credential === null) return settings;
  const basic = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
  return [
    ...settings,
    ['http.extraHeader', `Authorization: Basic ${basic}`],
    // The header would follow a redirect, outside the prefix it is meant for.
    ['http.followRedirects', 'false'],
  ];
}

export type GitCredential = Settings['GIT_CREDENTIALS'][number];

/**
 * The credential for cloning this address in this organization, or null: the longest prefix wins, and an
 * organization's own before one for all (`GIT_CREDENTIALS`; docs/contract.md#settings).
 */
export function credentialFor<Credential extends GitCredential>(
  url: string,
  orgId: string,
  credentials: readonly Credential[],
): Credential | null {
  const usable = credentials.filter(
    ({ org_id: owner, url_prefix: prefix }) =>
      (owner === undefined || parseUuid(owner) === orgId) && isBelow(url, prefix),
  );
  return (
    usable.sort(
      (one, other) =>
        namesIn(other) - namesIn(one) ||
        Number(other.org_id !== undefined) - Number(one.org_id !== undefined),
    )[0] ?? null
  );
}

function namesIn({ url_prefix: prefix }: GitCredential): number {
  return readGitAddress(prefix).names.length;
}
