import { type CallOptions, type JsonCalls, readAnswer } from './json-calls';
import { type AgentServer, bashOutputSchema, type SkillList, skillListSchema } from './protocol';

/** A command for the shell of a sandbox. */
export interface BashCommand {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly timeoutSeconds: number;
}

/** What a command did. The exit code is -1 when it ran into its time limit or could not begin. */
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
    const answer = await this.calls.call(target, {
      method: 'POST',
      path: '/api/bash/execute_bash_command',
      rawBody: JSON.stringify({ command, cwd, timeout: timeoutSeconds }),
      // The server ends the command itself; this limit is for a server that hangs.
      timeoutMs: (timeoutSeconds + 15) * 1000,
      signal,
    });
    const output = readAnswer(answer, bashOutputSchema, target);
    return { exitCode: output.exit_code ?? -1, stdout: output.stdout ?? '', stderr: output.stderr ?? '' };
  }

  /** Loads skills into the sandbox by the sources the body names, and lists them. */
  async loadSkills(
    target: AgentServer,
    body: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<SkillList> {
    const rawBody = JSON.stringify(body);
    const answer = await this.calls.call(target, {
      method: 'POST',
      path: '/api/skills',
      rawBody,
      ...options,
    });
    return readAnswer(answer, skillListSchema, target);
  }
}
