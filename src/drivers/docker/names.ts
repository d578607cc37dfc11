import { digestOf, newId } from '../../kernel/common';

/** What the driver is called in settings and records. */
export const DRIVER = 'docker';

/** Labels of what the driver makes. */
export const LABELS = {
  sandbox: 'org-conversation-service.sandbox',
  installation: 'org-conversation-service.installation',
  /** Of a claim, which is an empty volume: the store of its sandbox, which was pre-warmed. */
  store: 'org-conversation-service.store',
  /** Of what is pre-warmed: the installation that it is for. */
  warm: 'org-conversation-service.warm',
  /** Of a container that is pre-warmed: the settings that it was made with. */
  settings: 'org-conversation-service.settings',
} as const;

/** The port of an agent server inside its container. */
export const PORT = 8000;

/** What the container of a sandbox is called, and its volume and network unless they were pre-warmed. */
export function nameOf(sandboxId: string): string {
  return `sandbox-${sandboxId}`;
}

const WARM_PREFIX = 'warm-';

/** What a container is called that is pre-warmed, with its volume and its network. */
export function warmName(id: string): string {
  return WARM_PREFIX + id;
}

/** Whether something may be one that was pre-warmed: what else somebody labelled so is left alone. */
export function isWarmName(name: string): boolean {
  return name.startsWith(WARM_PREFIX);
}

/** What a container is called that measures disk. */
export function nameMeasuring(): string {
  return `measure-${newId()}`;
}

/** A container, and what it has of its own: that of a sandbox, or one that is pre-warmed. */
export interface ContainerSpec {
  /** What the container is called. */
  readonly name: string;
  /** What its volume and its network are called. */
  readonly store: string;
  readonly installationId: string;
  /** Labels of all three. */
  readonly labels: Readonly<Record<string, string>>;
  /** The content of the file with the keys of its agent server. */
  readonly keys: string;
  /** Variables of its own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The labels of what belongs to a sandbox. */
export function labelsOf(sandbox: {
  readonly id: string;
  readonly installationId: string;
}): Record<string, string> {
  return { [LABELS.sandbox]: sandbox.id, [LABELS.installation]: sandbox.installationId };
}

/** What the bridges of an installation's sandboxes begin with; names of interfaces have 15 characters at most. */
export function bridgePrefix(installationId: string): string {
  return `sb${digestOf(installationId).slice(0, 5)}`;
}

/**
 * The interface of a network on the engine's host.
 * @param store the name of the network
 */
export function bridgeOf(store: string, installationId: string): string {
  return bridgePrefix(installationId) + digestOf(store).slice(0, 8);
}

const FIRST_USER = 1_879_048_192;
const USERS = 1 << 28;
const FIRST_OF_FEW = 61_184;
const FEW_USERS = 4_336;

/**
 * The user that a sandbox's processes run as: no user of the image and of the engine's host, and hardly ever another
 * sandbox's.
 * @param store the name of its volume
 * @param isOneOfFew whether the engine has users up to 65535 only
 */
export function userOf(store: string, isOneOfFew: boolean): number {
  const number = Number.parseInt(digestOf(store).slice(0, 12), 16);
  return isOneOfFew ? FIRST_OF_FEW + (number % FEW_USERS) : FIRST_USER + (number % USERS);
}
