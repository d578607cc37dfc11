import { z } from 'zod';
declare const plugin: z.ZodObject<{
    source: z.ZodString;
    ref: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    repo_path: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    parameters: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
}, z.core.$strip>;
declare const storedRequest: z.ZodObject<{
    selected_repository: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    selected_branch: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    git_provider: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    llm_model: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    agent_profile_id: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    system_message_suffix: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    title: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodString>>, z.ZodTransform<string | null, string | null | undefined>>;
    agent_type: z.ZodDefault<z.ZodString>;
    plugins: z.ZodPipe<z.ZodOptional<z.ZodNullable<z.ZodArray<z.ZodObject<{
        source: z.ZodString;
        ref: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        repo_path: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        parameters: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    }, z.core.$strip>>>>, z.ZodTransform<{
        source: string;
        ref?: string | null | undefined;
        repo_path?: string | null | undefined;
        parameters?: Record<string, unknown> | null | undefined;
    }[], {
        source: string;
        ref?: string | null | undefined;
        repo_path?: string | null | undefined;
        parameters?: Record<string, unknown> | null | undefined;
    }[] | null | undefined>>;
}, z.core.$strip>;
/** A plugin that a conversation was asked to start with. */
export type StoredPlugin = z.infer<typeof plugin>;
/** What the start job needs of the request it keeps. */
export type StoredStartRequest = z.infer<typeof storedRequest>;
/** Reads a stored request. */
export declare function readStartRequest(request: unknown): StoredStartRequest;
export {};
