import { type OnModuleDestroy } from '@nestjs/common';
export interface GitCommand {
    readonly args: readonly string[];
    /** The whole environment: nothing is inherited from the service. */
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    /** Kills git, together with all processes it started. */
    readonly signal: AbortSignal;
    readonly input?: string;
    /** Receives git's output; when it throws, git is killed and the error is rethrown. */
    readonly onOutput?: (chunk: Buffer) => void;
}
export interface GitOutcome {
    readonly ok: boolean;
    /** The end of git's error output. Untrusted text: never put it into a response. */
    readonly messages: string;
}
/** Runs git through a helper process (`git-helper.ts`), started with the first git. */
export declare class GitProcesses implements OnModuleDestroy {
    private readonly runs;
    private readonly ending;
    private helper;
    private lastId;
    onModuleDestroy(): Promise<void>;
    /**
     * Runs git.
     * @returns once neither it nor any process it started has an output open
     * @throws the signal's reason, or what `onOutput` threw
     */
    run(command: GitCommand): Promise<GitOutcome>;
    private runInHelper;
    private startHelper;
    private handle;
    /** Forgets a helper that has ended, and fails its runs; the next git starts another one. */
    private onHelperLost;
}
