import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import {
  type AgentServer,
  AgentServerClient,
  AgentServerError,
  AgentServerRefusedError,
} from '../../../agent-server';
import { Clock, SecretBox, uuidText } from '../../../common';
import { SETTINGS, type Settings } from '../../../config';
import { DomainEvents, type DomainEventOf, OnDomainEvent } from '../../../domain-events';
import { JobHandlers, JobQueue, LeaseLostError, type RunningJob } from '../../../jobs';
import { SandboxLifecycle, SandboxReader, type SandboxView } from '../../../sandboxes';
import { publishChanges } from '../../record/conversation-changes';
import { ConversationQueue } from '../../record/conversation-queue';
import { TitleForwarding } from '../../app-conversations/title-forwarding';
import { agentRequest, type AgentRequestParts, TASK_TAG } from './agent-request';
import { SkillSetup, type SkillSetupResult } from './skill-setup';
import { pluginSetup } from './plugins';
import { StartFailedError } from './start-failed.error';
import { START_JOB, startJob } from '../request/start-job-name';
import { readStartRequest, type StoredStartRequest } from '../request/stored-request';
import { StartTaskLostError, type StartTaskRow, StartTaskStore } from '../tasks/start-task-store';
import { Workspace, type WorkspaceRequest } from './workspace';

const payload = z.object({ taskId: uuidText });
const secretsSchema = z.record(z.string(), z.string());
const RETRY_MS = 1_000;
const START_CALL_MS = 60_000;

/** One run of the job on one task. */
interface Run {
  readonly task: StartTaskRow;
  readonly request: StoredStartRequest;
  readonly job: RunningJob;
}

/**
 * Starts conversations, through its named stages (docs/contract.md#start-tasks). Every stage may be run
 * again: a run that died is followed by another, which finds what the first one did.
 */
@Injectable()
export class StartJob {
  private readonly logger = new Logger(StartJob.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly tasks: StartTaskStore,
    private readonly sandboxes: SandboxReader,
    private readonly lifecycle: SandboxLifecycle,
    private readonly agentServers: AgentServerClient,
    private readonly workspace: Workspace,
    private readonly skills: SkillSetup,
    private readonly queue: ConversationQueue,
    private readonly titles: TitleForwarding,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    handlers: JobHandlers,
  ) {
    handlers.register(START_JOB, payload, ({ taskId }, job) => this.run(taskId, job), 'slow');
  }

  @OnDomainEvent('sandbox.status_changed')
  async followSandbox(
    { sandbox_id }: DomainEventOf<'sandbox.status_changed'>,
    transaction: EntityManager,
  ): Promise<void> {
    const waiting = await transaction.query<{ id: string }[]>(
      `SELECT id FROM start_tasks WHERE sandbox_id = $1 AND status IN ('WORKING', 'WAITING_FOR_SANDBOX')`,
      [sandbox_id],
    );
    await this.jobs.addAll(
      transaction,
      waiting.map(({ id }) => startJob(id)),
    );
  }

  private async run(taskId: string, job: RunningJob): Promise<void> {
    const task = await this.tasks.claim(taskId, job.lease.fence);
    if (task === null) return this.removeIfDeleted(taskId);
    try {
      if (this.clock.now() >= task.deadline_at) throw new StartFailedError('The start took too long.');
      const request = readStartRequest(task.request);
      await this.stages({ task, request, job });
    } catch (error) {
      await this.afterFailure(task, job, error);
    }
  }

  private async stages(run: Run): Promise<void> {
    const sandbox = await this.awaitSandbox(run);
    if (!sandbox?.agentServer) return;
    const { task, request, job } = run;
    const target = sandbox.agentServer;
    this.lifecycle.touch(sandbox.id);
    const work: WorkspaceRequest = {
      conversationId: task.conversation_id,
      repository: request.selected_repository,
      branch: request.selected_branch,
      provider: request.git_provider,
    };
    const stage = (status: StartTaskRow['status'], url?: string): Promise<void> =>
      this.tasks.advance(task.id, job.lease.fence, status, url);

    await stage('PREPARING_REPOSITORY', sandbox.publicUrl ?? undefined);
    const folder = this.workspace.folderOf(sandbox.workingDir, work);
    await this.workspace.clone(target, folder, work, job.signal);
    if (work.repository !== null) {
      await stage('RUNNING_SETUP_SCRIPT');
      await this.note(run, await this.workspace.runSetupScript(target, folder, job.signal));
      await stage('SETTING_UP_GIT_HOOKS');
      await this.note(run, await this.workspace.installGitHook(target, folder, job.signal));
    }
    await stage('SETTING_UP_SKILLS');
    const owner = { orgId: task.org_id, userId: task.created_by_user_id };
    const setup = await this.skills.setUp(target, folder, owner, job.signal);
    const { notes, plugins, parameters } = pluginSetup(request.plugins);
    for (const sentence of [...setup.notes, ...notes]) await this.note(run, sentence);
    await stage('STARTING_CONVERSATION');
    await this.startAtAgentServer(run, sandbox, target, folder, {
      ...setup,
      plugins,
      pluginParameters: parameters,
    });
  }

  /** @returns the running sandbox, or null when a later run goes on */
  private async awaitSandbox({ task, job }: Run): Promise<SandboxView | null> {
    const sandbox = await this.sandboxes.byId(task.sandbox_id);
    if (sandbox === null || sandbox.status === 'MISSING') throw new StartFailedError('The sandbox is gone.');
    if (sandbox.status === 'ERROR')
      throw new StartFailedError(`The sandbox failed: ${sandbox.statusDetail ?? 'no reason is known'}`);
    if (sandbox.status === 'RUNNING' && sandbox.agentServer !== null) return sandbox;
    await this.tasks.advance(task.id, job.lease.fence, 'WAITING_FOR_SANDBOX');
    await this.database.transaction(async (transaction) => {
      if (sandbox.status === 'PAUSED' && !sandbox.stopping)
        await this.lifecycle.resume(transaction, sandbox.id);
      await this.goOnLater(transaction, task);
    });
    return null;
  }

  private async startAtAgentServer(
    { task, request, job }: Run,
    sandbox: SandboxView,
    target: AgentServer,
    folder: string,
    setup: SkillSetupResult & Pick<AgentRequestParts, 'plugins' | 'pluginParameters'>,
  ): Promise<void> {
    const body = agentRequest(
      {
        conversationId: task.conversation_id,
        taskId: task.id,
        workingDir: folder,
        model: request.llm_model,
        plans: request.agent_type === 'plan',
        maxBudget: setup.maxBudgetPerTask,
        plugins: setup.plugins,
        pluginParameters: setup.pluginParameters,
        skills: setup.skills,
        registrations: setup.registrations,
        secrets: this.secretsOf(task),
        title: request.title,
      },
      this.settings,
      sandbox.driver,
    );
    job.lease.assertHeld();
    const { created, info } = await this.agentServers.startConversation(target, body, {
      timeoutMs: START_CALL_MS,
    });
    if (!created && info.tags?.[TASK_TAG] !== task.id)
      throw new StartFailedError('The agent server has another conversation with this id already.');
    await this.noteReady(task, job, request.title);
  }

  private async noteReady(task: StartTaskRow, job: RunningJob, title: string | null): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await publishChanges(this.events, transaction, task.conversation_id, async () => {
        await transaction.query(
          `UPDATE conversations SET start_state = 'ready', execution_status = coalesce(execution_status, 'idle'),
                  updated_at = now()
            WHERE id = $1`,
          [task.conversation_id],
        );
      });
      await this.tasks.end(transaction, task.id, job.lease.fence, 'READY', null);
      if (title) await this.titles.later(transaction, task.conversation_id);
      await this.queue.ready(transaction, task.conversation_id);
    });
  }

  /**
   * A run, this one or one that died, may have made the conversation at the agent server after it was deleted
   * here, which then found nothing to delete there.
   */
  private async removeIfDeleted(taskId: string): Promise<void> {
    const [deleted] = await this.database.query<Pick<StartTaskRow, 'conversation_id' | 'sandbox_id'>[]>(
      `SELECT t.conversation_id, t.sandbox_id FROM start_tasks t JOIN conversations c ON c.id = t.conversation_id
        WHERE t.id = $1 AND c.deleted_at IS NOT NULL`,
      [taskId],
    );
    if (deleted === undefined) return;
    const sandbox = await this.sandboxes.byId(deleted.sandbox_id);
    if (sandbox?.agentServer)
      await this.agentServers.deleteConversation(sandbox.agentServer, deleted.conversation_id);
  }

  private secretsOf(task: StartTaskRow): Readonly<Record<string, string>> {
    if (task.sealed_secrets === null) return {};
    return secretsSchema.parse(JSON.parse(this.secretBox.open(task.sealed_secrets, `start-task:${task.id}`)));
  }

  private async note({ task, job }: Run, sentence: string | null): Promise<void> {
    if (sentence !== null) await this.tasks.note(task.id, job.lease.fence, sentence);
  }

  private async afterFailure(task: StartTaskRow, job: RunningJob, error: unknown): Promise<void> {
    if (error instanceof StartTaskLostError) return this.removeIfDeleted(task.id);
    if (error instanceof LeaseLostError) return;
    // What the end of this process cut off is done again elsewhere, or later.
    if (job.signal.aborted) throw error;
    if (error instanceof StartFailedError) return this.fail(task, job, error.message);
    if (error instanceof AgentServerRefusedError)
      return this.fail(task, job, `The agent server refused: ${error.reason}`);
    if (this.clock.now() >= task.deadline_at)
      return this.fail(
        task,
        job,
        error instanceof AgentServerError ? error.message : 'The start took too long.',
      );
    if (!(error instanceof AgentServerError)) throw error;
    this.logger.warn({ err: error, startTask: task.id }, 'A start waits for its agent server');
    await this.database.transaction((transaction) => this.goOnLater(transaction, task));
  }

  private async goOnLater(transaction: Parameters<JobQueue['add']>[0], task: StartTaskRow): Promise<void> {
    if (this.clock.now() >= task.deadline_at)
      throw new StartFailedError('The sandbox did not get ready in time.');
    await this.jobs.add(transaction, startJob(task.id, new Date(this.clock.now().getTime() + RETRY_MS)));
  }

  private async fail(task: StartTaskRow, job: RunningJob, reason: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await publishChanges(this.events, transaction, task.conversation_id, async () => {
        await transaction.query(
          `UPDATE conversations SET start_state = 'failed', updated_at = now() WHERE id = $1`,
          [task.conversation_id],
        );
      });
      await this.tasks.end(transaction, task.id, job.lease.fence, 'ERROR', reason);
      await this.queue.closed(
        transaction,
        [task.conversation_id],
        `The conversation did not start: ${reason}`,
      );
    });
  }
}
