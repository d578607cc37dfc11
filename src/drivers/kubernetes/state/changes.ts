import type { SandboxObjects } from './sandbox-objects';
import { currentPod, verdictOf } from './verdict';

/** Tells what changes of a sandbox matter to the service from the many that do not. */
export class Changes {
  private readonly before = new Map<string, string>();

  /** @param noticed is called with the id of a sandbox that ended, or has another pod now */
  constructor(private readonly noticed: (sandboxId: string) => void) {}

  /** Looks at a sandbox of which something changed. */
  look(id: string, objects: SandboxObjects): void {
    const sandbox = objects.sandbox(id);
    if (sandbox === undefined) {
      if (this.before.delete(id)) this.noticed(id);
      return;
    }
    const pods = objects.podsOf(id);
    const { state } = verdictOf(sandbox, pods);
    const now = `${state} ${state === 'running' ? (currentPod(pods)?.uid ?? '') : ''}`;
    const before = this.before.get(id);
    if (before === now) return;
    this.before.set(id, now);
    // A pod that comes is what everybody waits for already.
    if (before !== undefined && before !== 'running ') this.noticed(id);
  }
}
