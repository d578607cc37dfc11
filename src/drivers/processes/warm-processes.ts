import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { messageOf, newId } from '../../kernel/common';
import type { Settings } from '../../kernel/config';
import type { SandboxHandle, StartedServer } from '../../sandboxes/driver-port';
import type { AgentProcesses } from './agent-processes';
import { AgentServerAwakening } from '../agent-server-awakening';
import type { ControlFiles } from './control-files';

const POLL_MS = 100;
/** After a failure another is not tried at once. */
const REST_MS = 60_000;
/** How long one may take to stop: it has no events to send. */
const END_MS = 500;

/** An agent server that was pre-warmed. */
interface WarmProcess {
  readonly id: string;
  /** The key that authorizes giving it the keys of a sandbox; it works once. */
  readonly onceKey: string;
  server: StartedServer | null;
  /** Called when it ends; until it is claimed, that is for the pool to know. */
  ended: () => void;
}

/**
 * Agent servers that were pre-warmed and wait for their keys (`SANDBOX_WARM`, docs/sandboxes.md#pre-warmed-processes). They end
 * with the service, and those that a crash leaves are removed at its next start: only one process works with their folder.
 */
export class WarmProcesses {
  private readonly log = new Logger('Sandboxes');
  private readonly awakening: AgentServerAwakening;
  private readonly waiting: WarmProcess[] = [];
  private working: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  /** @param driver the name of the driver that they are for */
  constructor(
    private readonly settings: Settings,
    private readonly driver: string,
    private readonly on: {
      readonly processes: AgentProcesses;
      readonly files: ControlFiles;
    },
  ) {
    this.awakening = new AgentServerAwakening(settings);
  }

  /** Removes what an earlier process left, and begins to start as many as there should be. */
  async open(): Promise<void> {
    for (const id of await this.on.files.leftAhead()) await this.discard(id);
    this.replenish();
  }

  /**
   * Makes one the agent server of a new sandbox.
   * @param exited is called when it ends
   * @returns null where none is ready, or it could not be used: nothing of it is left then
   */
  async claim({ id, sessionKey }: SandboxHandle, exited: () => void): Promise<StartedServer | null> {
    const one = this.waiting.shift();
    if (one?.server === undefined || one.server === null) return null;
    this.replenish();
    try {
      await this.awakening.awake(one.server, one.onceKey, sessionKey);
      const { files, processes } = this.on;
      const control = await files.read(one.id);
      if (control === null) throw new Error('its record is gone');
      one.ended = exited;
      await files.give(one.id, control, id);
      // Its processes may see no other name of the folder.
      return { ...one.server, workingDir: processes.workingDirOf(one.id) };
    } catch (error) {
      this.log.warn(`An agent server that was started ahead is of no use: ${messageOf(error)}`);
      one.ended = () => undefined;
      await this.discard(one.id);
      return null;
    }
  }

  /** Starts no more, and ends those that wait. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.working;
    await Promise.all(this.waiting.splice(0).map(({ id }) => this.discard(id)));
  }

  /** The target number: 0 for a driver without new sandboxes. */
  private get wanted(): number {
    return this.settings.SANDBOX_DRIVER === this.driver ? this.settings.SANDBOX_WARM : 0;
  }

  private mustStop(): boolean {
    return this.isClosed;
  }

  private replenish(): void {
    clearTimeout(this.timer);
    this.working ??= this.makeAll().finally(() => (this.working = undefined));
  }

  private async makeAll(): Promise<void> {
    try {
      while (!this.mustStop() && this.waiting.length < this.wanted) await this.make();
    } catch (error) {
      if (this.mustStop()) return;
      this.log.warn(`No agent server can be started ahead: ${messageOf(error)}`);
      this.rest();
    }
  }

  private rest(): void {
    if (!this.mustStop()) this.timer = setTimeout(() => this.replenish(), REST_MS).unref();
  }

  private async make(): Promise<void> {
    const onceKey = newKey();
    const one: WarmProcess = { id: newId(), onceKey, server: null, ended: () => this.lost(one) };
    try {
      one.server = await this.on.processes.start({
        id: one.id,
        port: null,
        isWarm: true,
        onExit: () => one.ended(),
        // An agent server that cannot wait for keys would accept calls without any.
        keys: { OH_DEFERRED_INIT: '1', OH_SECRET_KEY: onceKey, OH_SESSION_API_KEYS_0: newKey() },
      });
      await this.becomesReady(one.server);
      this.waiting.push(one);
    } catch (error) {
      await this.discard(one.id);
      throw error;
    }
  }

  private async becomesReady(server: StartedServer): Promise<void> {
    const until = performance.now() + this.settings.SANDBOX_START_SECONDS * 1_000;
    while (!(await this.awakening.isReady(server))) {
      if (this.mustStop()) throw new Error('the service stops');
      if (performance.now() > until) throw new Error('it does not answer');
      await sleep(POLL_MS);
    }
  }

  /** A waiting one ended. */
  private lost(one: WarmProcess): void {
    const at = this.waiting.indexOf(one);
    // One that is still starting is discarded by the code that waits for it.
    if (at === -1 || this.mustStop()) return;
    this.waiting.splice(at, 1);
    this.log.warn('An agent server that was started ahead ended before it was wanted.');
    void this.discard(one.id).then(() => this.rest());
  }

  /** Ends the processes of one that no sandbox has, and removes its files. */
  private async discard(id: string): Promise<void> {
    const { files, processes } = this.on;
    try {
      await processes.end(id, END_MS);
      await files.remove(id, null);
    } catch (error) {
      this.log.warn(`What was started ahead stays until the next start: ${messageOf(error)}`);
    }
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
