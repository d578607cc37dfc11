import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../../kernel/common';
import { JobQueue } from '../../../../kernel/jobs';
import { type RunningSandbox, SandboxLifecycle, SandboxReader } from '../../../../sandboxes/sandboxes';
import type { StartTask } from '../../start-tasks/start-task.entity';
import { StartTaskRepository } from '../../start-tasks/start-task.repository';
import { startJob } from '../request/start-job-name';
import { StartFailedError } from '../tasks/start-failed.error';
import { leaseOf, type StartRun } from './start-run';

const RETRY_MS = 1_000;

/** Waits for the sandbox of a start, without occupying a worker meanwhile: later runs go on. */
@Injectable()
export class StartSandbox {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: StartTaskRepository,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the running sandbox, or null when a later run goes on
   * @throws StartFailedError when it will never run, StartTaskLostError
   */
  async awaitRunning(run: StartRun): Promise<RunningSandbox | null> {
    const sandbox = await this.sandboxes.byId(run.task.sandboxId);
    if (sandbox === null || sandbox.status === 'MISSING') throw new StartFailedError('The sandbox is gone.');
    if (sandbox.status === 'ERROR')
      throw new StartFailedError(`The sandbox failed: ${sandbox.statusDetail ?? 'no reason is known'}`);
    const { agentServer } = sandbox;
    if (sandbox.status === 'RUNNING' && agentServer !== null) {
      this.lifecycle.touch(sandbox.id);
      return { ...sandbox, agentServer };
    }
    await this.tasks.advance(leaseOf(run), 'WAITING_FOR_SANDBOX');
    await this.database.transaction(async (transaction) => {
      if (sandbox.status === 'PAUSED' && !sandbox.stopping)
        await this.lifecycle.resume(transaction, sandbox.id);
      await this.retryIn(transaction, run.task);
    });
    return null;
  }

  /** Has another run go on shortly. @throws StartFailedError when the time of the start is over */
  async retry(task: StartTask): Promise<void> {
    await this.database.transaction((transaction) => this.retryIn(transaction, task));
  }

  private async retryIn(transaction: EntityManager, task: StartTask): Promise<void> {
    const now = this.clock.now();
    if (now >= task.deadlineAt) throw new StartFailedError('The sandbox did not get ready in time.');
    await this.jobs.add(transaction, startJob(task, new Date(now.getTime() + RETRY_MS)));
  }
}
