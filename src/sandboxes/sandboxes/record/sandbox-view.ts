import type { AgentServer } from '../../agent-server';

/** What a sandbox may be doing (docs/contract.md#sandbox-statuses). */
export const SANDBOX_STATUSES = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING'] as const;

export type SandboxStatus = (typeof SANDBOX_STATUSES)[number];

/** A sandbox as other modules see it. */
export interface SandboxView {
  readonly id: string;
  readonly orgId: string;
  readonly createdByUserId: string;
  /** Whether somebody made it whom the link of an administrator had let in. */
  readonly byLink: boolean;
  /** The model its agent server answers with where none is configured; null where one has to be. */
  readonly builtInModel: string | null;
  readonly status: SandboxStatus;
  /**
   * Being paused or deleted: shows as PAUSED, and send-message names it STOPPING
   * (docs/contract.md#send-message-errors).
   */
  readonly stopping: boolean;
  readonly statusDetail: string | null;
  /** Where this service reaches its agent server, with the key; null unless it is RUNNING. */
  readonly agentServer: AgentServer | null;
  /** Where programs reach its agent server, without a slash at the end; null unless it is RUNNING. */
  readonly publicUrl: string | null;
  /** What addresses of its conversations begin with; null unless it is RUNNING (docs/sandboxes.md#addresses). */
  readonly conversationBase: string | null;
  /** The key callers may have; null unless it is RUNNING, and always where sandboxes share a server. */
  readonly sessionApiKey: string | null;
  /** Folder inside the sandbox for the work of its conversations. */
  readonly workingDir: string;
  /** Whether its agent server serves other sandboxes too. */
  readonly sharesServer: boolean;
  /** Whether its agent server runs commands (docs/sandboxes.md#isolation). */
  readonly runsCommands: boolean;
}

/** What the address of a sandbox's agent server is made of, as the database has it. */
export interface SandboxAddress {
  readonly id: string;
  readonly driver: string;
  readonly baseUrl: string | null;
  readonly port: number | null;
}

/** An agent server that serves several sandboxes, as the database has it. */
export interface SharedServer {
  readonly driver: string;
  readonly baseUrl: string;
}

/**
 * What a {@link SandboxView} is made of, as a query of another module has it with {@link SANDBOX_COLUMNS};
 * all null where there was no sandbox.
 */
export interface SandboxRow {
  readonly sandbox_id: string | null;
  readonly sandbox_org_id: string;
  readonly sandbox_created_by_user_id: string;
  readonly sandbox_by_link: boolean;
  readonly sandbox_driver: string;
  readonly sandbox_status: SandboxStatus;
  readonly sandbox_stopping: string | null;
  readonly sandbox_status_detail: string | null;
  readonly sandbox_port: number | null;
  readonly sandbox_base_url: string | null;
  readonly sandbox_listener_uid: number | null;
  readonly sandbox_working_dir: string | null;
  readonly sandbox_sealed_session_key: string | null;
}

/** The columns of {@link SandboxRow}, of a table `sandboxes` named `s`. */
export const SANDBOX_COLUMNS = [
  'id',
  'org_id',
  'created_by_user_id',
  'by_link',
  'driver',
  'status',
  'stopping',
  'status_detail',
  'port',
  'base_url',
  'listener_uid',
  'working_dir',
  'sealed_session_key',
]
  .map((column) => `s.${column} AS sandbox_${column}`)
  .join(', ');
