import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { AgentServerError, AgentServerRefusedError } from '../../../../sandboxes/agent-server';
import { Clock, uuidText } from '../../../../kernel/common';
import { JobHandlers, type RunningJob, JobQueue } from '../../../../kernel/jobs';
import { LeaseLostError } from '../../../../kernel/leases';
import {
  LastWords,
  type RunningSandbox,
  SandboxLifecycle,
  SandboxReader,
} from '../../../../sandboxes/sandboxes';
import type { StartTask } from '../../start-tasks/start-task.entity';
import { StartTaskFencedError, StartTaskRepository } from '../../start-tasks/start-task.repository';
import { START_JOB, startJob } from '../request/start-job-name';
import { readStartRequest } from '../request/stored-request';
import { StartFailedError } from '../tasks/start-failed.error';
import { StartOutcome } from './start-outcome';
import { type StartRun, fencedTask } from './start-run';
import { StartStages } from './start-stages';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

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
   * @throws StartFailedError when it will never run, StartTaskFencedError
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
    await this.tasks.advance(fencedTask(run), 'WAITING_FOR_SANDBOX');
    await this.database.transaction(async (transaction) => {
      if (sandbox.status === 'PAUSED' && !sandbox.stopping)
        await this.lifecycle.resume(transaction, sandbox.id);
      await this.retryIn(transaction, run.task);
    });
    return null;
  }

  /** Schedules another run. @throws StartFailedError when the time of the start is over */
  async retry(task: StartTask): Promise<void> {
    await this.database.transaction((transaction) => this.retryIn(transaction, task));
  }

  private async retryIn(transaction: EntityManager, task: StartTask): Promise<void> {
    const now = this.clock.now();
    if (now >= task.deadlineAt) throw new StartFailedError('The sandbox did not get ready in time.');
    await this.jobs.add(transaction, startJob(task, new Date(now.getTime() + RETRY_MS)));
  }
}

const payload = z.object({ taskId: uuidText });
const TOO_LONG = 'The start took too long.';

/**
 * Starts conversations, through the named stages of docs/contract.md#start-tasks. Every stage may be run again: a
 * run that died is followed by another, which finds what the first one did.
 */
@Injectable()
export class StartJob {
  private readonly logger = new Logger(StartJob.name);

  constructor(
    private readonly tasks: StartTaskRepository,
    private readonly sandbox: StartSandbox,
    private readonly stages: StartStages,
    private readonly outcome: StartOutcome,
    private readonly lastWords: LastWords,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(START_JOB, payload, ({ taskId }, job) => this.run(taskId, job), 'slow');
  }

  private async run(taskId: string, job: RunningJob): Promise<void> {
    const task = await this.tasks.acquire({ taskId, fence: job.lease.fence });
    if (task === null) return this.outcome.removeIfDeleted(taskId);
    try {
      if (this.isOverdue(task)) throw new StartFailedError(TOO_LONG);
      await this.start({ task, request: readStartRequest(task.request), job });
    } catch (error) {
      await this.afterFailure({ task, job }, error);
    }
  }

  private async start(run: StartRun): Promise<void> {
    const sandbox = await this.sandbox.awaitRunning(run);
    if (sandbox === null) return;
    const launchedWith = await this.stages.run(run, sandbox);
    await this.outcome.succeed(run, launchedWith);
  }

  private async afterFailure(run: Pick<StartRun, 'task' | 'job'>, error: unknown): Promise<void> {
    if (error instanceof StartTaskFencedError) return this.outcome.removeIfDeleted(run.task.id);
    if (error instanceof LeaseLostError) return;
    // Interrupted by shutdown: another run repeats it.
    if (run.job.signal.aborted) throw error;
    const reason = this.finalReason(run.task, error);
    if (reason !== null) return this.outcome.fail(run, reason, await this.lastWords.of(run.task.sandboxId));
    if (!(error instanceof AgentServerError)) throw error;
    this.logger.warn(
      { err: error, startTask: run.task.id },
      'Agent server unavailable; the start will be retried',
    );
    await this.sandbox.retry(run.task);
  }

  /** Why a start has failed for good; null when it may be tried again. */
  private finalReason(task: StartTask, error: unknown): string | null {
    if (error instanceof StartFailedError) return error.message;
    if (error instanceof AgentServerRefusedError) return `The agent server refused: ${error.reason}`;
    if (!this.isOverdue(task)) return null;
    return error instanceof AgentServerError ? error.message : TOO_LONG;
  }

  private isOverdue(task: StartTask): boolean {
    return this.clock.now() >= task.deadlineAt;
  }
}
