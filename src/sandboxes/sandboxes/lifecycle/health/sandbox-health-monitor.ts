import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { hostBound, JobHandlers } from '../../../../kernel/jobs';
import { SandboxDrivers } from '../../record/sandbox-drivers';
import { Hosts } from '../../hosts/hosts';
import { SandboxStore } from '../../record/sandbox-store';
import { SandboxInspection } from './sandbox-inspection';
import { WatchedSandboxes } from './watched-sandboxes.read-model';

const ROUND_SECONDS = 3;

/** Two rounds of probes that run into their time limit end a hundred sandboxes within 10 s. */
const MAX_CONCURRENT = 50;

/** Detects, every few seconds, sandboxes that died, hang, are idle or missed a deadline. */
@Injectable()
export class SandboxHealthMonitor implements OnModuleInit {
  private readonly log = new Logger('Sandboxes');

  constructor(
    private readonly handlers: JobHandlers,
    private readonly hosts: Hosts,
    private readonly drivers: SandboxDrivers,
    @InjectDataSource() private readonly database: DataSource,
    private readonly watched: WatchedSandboxes,
    private readonly inspection: SandboxInspection,
    private readonly store: SandboxStore,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const hostId of await this.hosts.workedFor())
      this.handlers.every(hostBound('sandbox-watch', hostId), ROUND_SECONDS, () => this.inspectAll(hostId));
    this.handlers.every('sandbox-watch', ROUND_SECONDS, () => this.inspectAll(null));
    this.drivers.onExit((id) => this.onExit(id));
  }

  private async inspectAll(hostId: string | null): Promise<void> {
    // All take from one iterator, so that a slow sandbox occupies only its own slot.
    const waiting = (await this.watched.of(hostId)).values();
    const inspectWaiting = async (): Promise<void> => {
      for (const { sandbox, now } of waiting)
        await this.inspection.inspect(sandbox, now).catch((error: unknown) => {
          this.log.warn(`Sandbox ${sandbox.id} could not be inspected: ${String(error)}`);
        });
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, inspectWaiting));
  }

  private onExit(id: string): void {
    this.inspection.forget(id);
    if (!this.database.isInitialized) return; // shutting down; the next process notices it
    this.store
      .reconcile(id)
      .catch((error: unknown) =>
        this.log.warn(`Could not record the exit of sandbox ${id}; the next check will: ${String(error)}`),
      );
  }
}
