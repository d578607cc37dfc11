import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { storableText } from '../../../common';
import type { StartTaskStatus } from './start-task-status';

/** A start task as read by SQL. */
export interface StartTaskRow {
  readonly id: string;
  readonly org_id: string;
  readonly created_by_user_id: string;
  readonly conversation_id: string;
  readonly sandbox_id: string;
  readonly status: StartTaskStatus;
  readonly detail: string | null;
  readonly agent_server_url: string | null;
  readonly request: Record<string, unknown>;
  readonly sealed_secrets: string | null;
  readonly deadline_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const OPEN = `status NOT IN ('READY', 'ERROR')`;

/** A later run has taken the task over, or it is over: this run must not go on. */
export class StartTaskLostError extends Error {
  constructor() {
    super('The start task belongs to a later run or is over.');
    this.name = 'StartTaskLostError';
  }
}

/** Reads and writes start tasks; every write of a run is guarded by its fencing number. */
@Injectable()
export class StartTaskStore {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Takes a task for a run. @returns null when it is over or a later run has it */
  async claim(id: string, fence: number): Promise<StartTaskRow | null> {
    const [rows] = await this.database.query<[StartTaskRow[], number]>(
      `UPDATE start_tasks SET fence = $2 WHERE id = $1 AND fence < $2 AND ${OPEN} RETURNING *`,
      [id, fence],
    );
    return rows[0] ?? null;
  }

  /** Notes the stage a run has come to. @throws StartTaskLostError */
  async advance(id: string, fence: number, status: StartTaskStatus, agentServerUrl?: string): Promise<void> {
    await this.write(
      this.database.manager,
      `UPDATE start_tasks
          SET status = $3, agent_server_url = coalesce($4, agent_server_url), updated_at = now()
        WHERE id = $1 AND fence = $2 AND ${OPEN} RETURNING id`,
      [id, fence, status, agentServerUrl ?? null],
    );
  }

  /** Adds a sentence to what the task tells beside its status. @throws StartTaskLostError */
  async note(id: string, fence: number, sentence: string): Promise<void> {
    await this.write(
      this.database.manager,
      `UPDATE start_tasks SET detail = concat_ws(' ', detail, $3::text), updated_at = now()
        WHERE id = $1 AND fence = $2 AND ${OPEN} AND strpos(coalesce(detail, ''), $3) = 0 RETURNING id`,
      [id, fence, storableText(sentence)],
    ).catch((error: unknown) => {
      // A note that stands there already is no reason to stop.
      if (!(error instanceof StartTaskLostError)) throw error;
    });
  }

  /** Ends a task; its secrets are not needed any more. @throws StartTaskLostError */
  async end(
    transaction: EntityManager,
    id: string,
    fence: number,
    status: 'READY' | 'ERROR',
    detail: string | null,
  ): Promise<void> {
    await this.write(
      transaction,
      `UPDATE start_tasks
          SET status = $3, detail = coalesce($4, detail), sealed_secrets = NULL, updated_at = now()
        WHERE id = $1 AND fence = $2 AND ${OPEN} RETURNING id`,
      [id, fence, status, detail === null ? null : storableText(detail)],
    );
  }

  private async write(manager: EntityManager, sql: string, parameters: unknown[]): Promise<void> {
    const [rows] = await manager.query<[unknown[], number]>(sql, parameters);
    if (rows.length === 0) throw new StartTaskLostError();
  }
}
