import type { RunningSandbox } from './door-sandboxes';

/** Somebody who may pass, and what they reach. */
export interface Admission {
  readonly sandbox: RunningSandbox;
  /** The id of the user's key; null for the sandbox's own. */
  readonly keyId: number | null;
}
