import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../../../kernel/common';
import { SETTINGS, type Settings } from '../../../../kernel/config';
import { Sandbox } from '../../record/sandbox.entity';

/** Uses of one sandbox within this time are recorded once; where sandboxes are paused sooner, within a quarter of theirs. */
const RECORD_EVERY_MS = 10_000;
const MAX_RECENT = 10_000;

/** Records when sandboxes were last used. */
@Injectable()
export class SandboxActivity {
  private readonly recordedAtMs = new Map<string, number>();
  private readonly log = new Logger('Sandboxes');
  private readonly recordEveryMs: number;

  constructor(
    @InjectRepository(Sandbox) private readonly sandboxes: Repository<Sandbox>,
    private readonly clock: Clock,
    @Inject(SETTINGS) { SANDBOX_IDLE_SECONDS }: Settings,
  ) {
    this.recordEveryMs = Math.min(RECORD_EVERY_MS, SANDBOX_IDLE_SECONDS * 250);
  }

  /** Records a use of a sandbox, in the background. Never throws. */
  touch(id: string): void {
    const nowMs = this.clock.monotonicMs();
    const lastMs = this.recordedAtMs.get(id);
    if (lastMs !== undefined && nowMs - lastMs < this.recordEveryMs) return;
    if (this.recordedAtMs.size >= MAX_RECENT) this.recordedAtMs.clear();
    this.recordedAtMs.set(id, nowMs);
    this.sandboxes
      .update({ id }, { lastActivityAt: () => 'now()' })
      .catch((error: unknown) =>
        this.log.warn(`Could not record activity of sandbox ${id}: ${String(error)}`),
      );
  }
}
