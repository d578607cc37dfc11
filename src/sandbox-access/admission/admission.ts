import type { RunningSandbox } from './door-sandboxes';

/** An admitted caller's way to a sandbox. */
export interface Admission {
  readonly sandbox: RunningSandbox;
  /** The id of the user's API key; null for the sandbox's own key. */
  readonly keyId: number | null;
}
