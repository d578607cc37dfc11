import type { EntityManager } from 'typeorm';
import type { AgentServer } from '../../agent-server';
import type { Person } from '../../../kernel/common';

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

/** Reads sandboxes for other modules. */
export abstract class SandboxReader {
  /** @returns null for an unknown id */
  abstract byId(id: string): Promise<SandboxView | null>;

  /** The sandboxes of the ids that are known, by id, in one query. */
  abstract byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SandboxView>>;

  /**
   * What addresses of conversations in a running sandbox begin with, without a slash at the end: for those who
   * read sandboxes in a query of their own.
   */
  abstract conversationBaseOf(sandbox: SandboxAddress): string | null;
}

/** Agent servers that serve several sandboxes, which outlive these. */
export abstract class SharedServers {
  /** The server that a sandbox shares with others, whatever its status; null where it has, or had, none. */
  abstract sharedServerOf(
    transaction: EntityManager,
    sandboxId: string,
  ): Promise<(SharedServer & { readonly isSandboxDeleted: boolean }) | null>;

  /** Where such a server is, with its key; null when its driver is not there any more. */
  abstract addressOfShared(server: SharedServer): AgentServer | null;
}

/** Makes views for those who read sandboxes in a query of their own. */
export abstract class SandboxRows {
  /** The sandbox of a row, or null where that has none. */
  abstract viewOf(row: SandboxRow): SandboxView | null;
}

/** Changes sandboxes for other modules. */
export abstract class SandboxLifecycle {
  /**
   * Makes a sandbox in the caller's transaction; it starts once that commits.
   * @throws ConcurrencyLimitReachedError (429) at the caps (docs/contract.md#sandbox-caps)
   * @returns its id
   */
  abstract create(transaction: EntityManager, owner: Person): Promise<string>;

  /** Starts a paused or failed sandbox again, once the transaction commits; nothing happens to others. */
  abstract resume(transaction: EntityManager, id: string): Promise<void>;

  /**
   * Keeps sandboxes as they are until the transaction ends: called before it locks anything of the conversations in
   * them, so that it waits for a change of the sandbox and no change waits for it half-way.
   */
  abstract lock(transaction: EntityManager, ids: readonly string[]): Promise<void>;

  /** Deletes a sandbox once the transaction commits. */
  abstract delete(transaction: EntityManager, id: string): Promise<void>;

  /** As {@link delete}, of a sandbox that failed at what it was made for: its log can be read for a while. */
  abstract giveBack(transaction: EntityManager, id: string): Promise<void>;

  /** Records that a sandbox was used now, so that it does not count as idle. Cheap; never throws. */
  abstract touch(id: string): void;
}
