import { digestOf, newId } from '../../kernel/common';

/** The name of the driver in settings and records. */
export const DRIVER = 'docker';

/** Labels of objects that the driver creates. */
export const LABELS = {
  sandbox: 'org-conversation-service.sandbox',
  installation: 'org-conversation-service.installation',
  /** On a claim, which is an empty volume: the pre-warmed store of its sandbox. */
  store: 'org-conversation-service.store',
  /** On pre-warmed objects: their installation. */
  warm: 'org-conversation-service.warm',
  /** On a pre-warmed container: the settings that it was created with. */
  settings: 'org-conversation-service.settings',
} as const;

/** The port of an agent server inside its container. */
export const PORT = 8000;

/** The name of the container of a sandbox, and of its volume and network unless they were pre-warmed. */
export function nameOf(sandboxId: string): string {
  return `sandbox-${sandboxId}`;
}

const WARM_PREFIX = 'warm-';

/** The name of a pre-warmed container, its volume and its network. */
export function warmName(id: string): string {
  return WARM_PREFIX + id;
}

/** Whether a name is that of a pre-warmed object; other objects with the label are left alone. */
export function isWarmName(name: string): boolean {
  return name.startsWith(WARM_PREFIX);
}

/** The name of a container that measures disk. */
export function nameMeasuring(): string {
  return `measure-${newId()}`;
}

/** A container with its volume and network: of a sandbox, or pre-warmed. */
export interface ContainerSpec {
  /** The name of the container. */
  readonly name: string;
  /** The name of its volume and network. */
  readonly store: string;
  readonly installationId: string;
  /** Labels of all three. */
  readonly labels: Readonly<Record<string, string>>;
  /** The content of the file with the keys of its agent server. */
  readonly keys: string;
  /** Variables of its own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The labels of objects of a sandbox. */
export function labelsOf(sandbox: {
  readonly id: string;
  readonly installationId: string;
}): Record<string, string> {
  return { [LABELS.sandbox]: sandbox.id, [LABELS.installation]: sandbox.installationId };
}

/** The prefix of the bridges of an installation; names of interfaces have 15 characters at most. */
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
