import type { RunningSandbox } from '../../sandboxes';

/** An admitted caller's way to a sandbox. */
export interface Admission {
  readonly sandbox: RunningSandbox;
  /** The id of the user's API key; null for the sandbox's own key. */
  readonly keyId: number | null;
  /** The id of the session of the browser that the caller is signed in with; null where the key itself was sent. */
  readonly sessionId: number | null;
  /** When what the caller sent stops working; null for never. */
  readonly keyExpiresAt: Date | null;
}
