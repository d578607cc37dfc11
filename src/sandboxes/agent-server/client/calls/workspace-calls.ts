import { randomUUID } from 'node:crypto';
import { type CallOptions, DETAILED_RESPONSE_BYTES, type JsonCalls, readResponse } from '../json-calls';
import {
  type AgentServer,
  bashOutputSchema,
  type GitChanges,
  gitChangesSchema,
  gitDiffSchema,
  type GitFileDiff,
  type SkillList,
  skillListSchema,
  successSchema,
} from '../protocol';

/** A command for the shell of a sandbox. */
export interface BashCommand {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeoutSeconds: number;
}

/** The result of a command. The exit code is -1 when it ran into its time limit or could not begin. */
export interface BashResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Works in the sandbox of an agent server. Errors are those of AgentServerClient. */
export class WorkspaceCalls {
  constructor(private readonly calls: JsonCalls) {}

  /** Runs a command in the sandbox and waits for its end. Output beyond 1 MiB shows its last part only. */
  async executeBash(
    target: AgentServer,
    { command, cwd, timeoutSeconds }: BashCommand,
    signal?: AbortSignal,
  ): Promise<BashResult> {
    const response = await this.calls.call(target, {
      method: 'POST',
      path: '/api/bash/execute_bash_command',
      rawBody: JSON.stringify({ command, cwd, timeout: timeoutSeconds }),
      // The server ends the command itself; this limit is for a server that hangs.
      timeoutMs: (timeoutSeconds + 15) * 1000,
      maxResponseBytes: DETAILED_RESPONSE_BYTES,
      signal,
    });
    const output = readResponse(response, bashOutputSchema, target);
    return { exitCode: output.exit_code ?? -1, stdout: output.stdout ?? '', stderr: output.stderr ?? '' };
  }

  /** Writes a file, with the folders on the way to it. */
  async upload(target: AgentServer, path: string, bytes: Buffer, options: CallOptions = {}): Promise<void> {
    const boundary = randomUUID();
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const response = await this.calls.call(target, {
      method: 'POST',
      path: `/api/file/upload?path=${encodeURIComponent(path)}`,
      rawBody: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
      contentType: `multipart/form-data; boundary=${boundary}`,
      ...options,
    });
    readResponse(response, successSchema, target);
  }

  /** Reads a text file. @returns null when there is none */
  async download(target: AgentServer, path: string, options: CallOptions = {}): Promise<string | null> {
    const route = `/api/file/download?path=${encodeURIComponent(path)}`;
    const response = await this.calls.call(target, { method: 'GET', path: route, ...options });
    if (response.status === 404) return null;
    if (response.status !== 200) readResponse(response, successSchema, target);
    return response.text;
  }

  /** The changes in a working copy; empty for a folder that is none. */
  async gitChanges(target: AgentServer, path: string, options: CallOptions = {}): Promise<GitChanges> {
    const route = `/api/git/changes?path=${encodeURIComponent(path)}`;
    const response = await this.calls.call(target, { method: 'GET', path: route, ...options });
    return readResponse(response, gitChangesSchema, target);
  }

  /** A file of a working copy as it is and as it was committed. */
  async gitDiff(target: AgentServer, path: string, options: CallOptions = {}): Promise<GitFileDiff> {
    const route = `/api/git/diff?path=${encodeURIComponent(path)}`;
    const response = await this.calls.call(target, { method: 'GET', path: route, ...options });
    return readResponse(response, gitDiffSchema, target);
  }

  /** Loads skills into the sandbox by the sources the body names, and lists them. */
  async loadSkills(
    target: AgentServer,
    body: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<SkillList> {
    const rawBody = JSON.stringify(body);
    const response = await this.calls.call(target, {
      method: 'POST',
      path: '/api/skills',
      rawBody,
      maxResponseBytes: DETAILED_RESPONSE_BYTES,
      ...options,
    });
    return readResponse(response, skillListSchema, target);
  }
}
