import { DataSource } from 'typeorm';
import { z } from 'zod';
import { type AgentServer, AgentServerClient } from '../../agent-server';
import { Clock } from '../../common';
import { JobHandlers, JobQueue } from '../../jobs';
import { SandboxReader } from '../../sandboxes';
declare const payload: z.ZodObject<{
    conversationId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
    sandboxId: z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>;
}, z.core.$strip>;
/** An agent that is to run. */
export type AgentRun = z.infer<typeof payload>;
/**
 * Has agents run for messages that are stored already: an agent server that runs as many agents as it may takes
 * messages, but does not run the agent for them (docs/agent-servers.md#agents-at-once).
 */
export declare class AgentRuns {
    private readonly database;
    private readonly sandboxes;
    private readonly agentServers;
    private readonly jobs;
    private readonly clock;
    constructor(database: DataSource, sandboxes: SandboxReader, agentServers: AgentServerClient, jobs: JobQueue, clock: Clock, handlers: JobHandlers);
    /**
     * Has an agent run as soon as its server lets it; one at a time for each server. A pause of the sandbox ends the wait,
     * as it ends a run.
     */
    later(server: AgentServer, run: AgentRun): Promise<void>;
    /** Whether an agent is to run later. */
    isPlanned(conversationId: string): Promise<boolean>;
    /** Has an agent not run later. @returns whether it was to */
    cancel(conversationId: string): Promise<boolean>;
    private run;
    /** As {@link later}, for the job of a run; nothing happens once that was cancelled. */
    private again;
    private plan;
}
export {};
