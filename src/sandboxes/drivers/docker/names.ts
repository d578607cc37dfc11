import { digestOf } from '../../../common';

/** Labels of everything that the driver makes. */
export const LABELS = {
  sandbox: 'org-conversation-service.sandbox',
  installation: 'org-conversation-service.installation',
};

/** The port of an agent server inside its container. */
export const PORT = 8000;

/** What a sandbox's container, volume and network are called; an engine has each name once. */
export function nameOf(sandboxId: string): string {
  return `sandbox-${sandboxId}`;
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

/** The interface of a sandbox's network on the engine's host. */
export function bridgeOf({
  id,
  installationId,
}: {
  readonly id: string;
  readonly installationId: string;
}): string {
  return bridgePrefix(installationId) + digestOf(id).slice(0, 8);
}

const FIRST_USER = 1_879_048_192;
const USERS = 1 << 28;
const FIRST_OF_FEW = 61_184;
const FEW_USERS = 4_336;

/**
 * The user that a sandbox's processes run as: no user of the image and of the engine's host, and hardly ever another
 * sandbox's.
 * @param isOneOfFew whether the engine has users up to 65535 only
 */
export function userOf(sandboxId: string, isOneOfFew: boolean): number {
  const number = Number.parseInt(digestOf(sandboxId).slice(0, 12), 16);
  return isOneOfFew ? FIRST_OF_FEW + (number % FEW_USERS) : FIRST_USER + (number % USERS);
}
