import { type CallOptions, type JsonCalls } from './json-calls';
import { type AgentServer, type GitChanges, type GitFileDiff, type SkillList } from './protocol';
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
export declare class WorkspaceCalls {
    private readonly calls;
    constructor(calls: JsonCalls);
    /** Runs a command in the sandbox and waits for its end. Output beyond 1 MiB shows its last part only. */
    executeBash(target: AgentServer, { command, cwd, timeoutSeconds }: BashCommand, signal?: AbortSignal): Promise<BashResult>;
    /** Writes a file, with the folders on the way to it. */
    upload(target: AgentServer, path: string, bytes: Buffer, options?: CallOptions): Promise<void>;
    /** Reads a text file. @returns null when there is none */
    download(target: AgentServer, path: string, options?: CallOptions): Promise<string | null>;
    /** What a working copy has changed; nothing where a folder is none. */
    gitChanges(target: AgentServer, path: string, options?: CallOptions): Promise<GitChanges>;
    /** A file of a working copy as it is and as it was committed. */
    gitDiff(target: AgentServer, path: string, options?: CallOptions): Promise<GitFileDiff>;
    /** Loads skills into the sandbox by the sources the body names, and lists them. */
    loadSkills(target: AgentServer, body: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<SkillList>;
}
