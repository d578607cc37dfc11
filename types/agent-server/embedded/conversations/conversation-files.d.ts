import { z } from 'zod';
/** What is stored of a conversation in addition to its log. */
declare const recordSchema: z.ZodObject<{
    id: z.ZodString;
    title: z.ZodNullable<z.ZodString>;
    tags: z.ZodRecord<z.ZodString, z.ZodString>;
    createdAt: z.ZodString;
    updatedAt: z.ZodString;
    request: z.ZodObject<{
        workspace: z.ZodObject<{
            working_dir: z.ZodString;
        }, z.core.$loose>;
        conversation_id: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>>;
        parent_conversation_id: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>>;
        agent: z.ZodOptional<z.ZodNullable<z.ZodObject<{
            llm: z.ZodObject<{
                model: z.ZodString;
                base_url: z.ZodOptional<z.ZodNullable<z.ZodString>>;
                api_key: z.ZodOptional<z.ZodNullable<z.ZodString>>;
                input_cost_per_token: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
                output_cost_per_token: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
            }, z.core.$loose>;
            tools: z.ZodDefault<z.ZodArray<z.ZodUnknown>>;
            agent_context: z.ZodOptional<z.ZodNullable<z.ZodObject<{
                system_message_suffix: z.ZodOptional<z.ZodNullable<z.ZodString>>;
            }, z.core.$loose>>>;
        }, z.core.$loose>>>;
        agent_settings: z.ZodOptional<z.ZodNullable<z.ZodObject<{
            llm: z.ZodOptional<z.ZodObject<{
                model: z.ZodString;
                base_url: z.ZodOptional<z.ZodNullable<z.ZodString>>;
                api_key: z.ZodOptional<z.ZodNullable<z.ZodString>>;
                input_cost_per_token: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
                output_cost_per_token: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
            }, z.core.$loose>>;
        }, z.core.$loose>>>;
        agent_profile_id: z.ZodOptional<z.ZodNullable<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>>;
        initial_message: z.ZodOptional<z.ZodNullable<z.ZodObject<{
            role: z.ZodDefault<z.ZodEnum<{
                user: "user";
                system: "system";
                assistant: "assistant";
                tool: "tool";
            }>>;
            content: z.ZodDefault<z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
                type: z.ZodDefault<z.ZodLiteral<"text">>;
                text: z.ZodString;
                cache_prompt: z.ZodDefault<z.ZodBoolean>;
            }, z.core.$strict>, z.ZodObject<{
                type: z.ZodDefault<z.ZodLiteral<"image">>;
                image_urls: z.ZodArray<z.ZodString>;
                cache_prompt: z.ZodDefault<z.ZodBoolean>;
            }, z.core.$strip>]>>>;
            run: z.ZodDefault<z.ZodBoolean>;
        }, z.core.$strip>>>;
        max_iterations: z.ZodOptional<z.ZodNumber>;
        stuck_detection: z.ZodOptional<z.ZodBoolean>;
        confirmation_policy: z.ZodOptional<z.ZodUnknown>;
        secrets: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
        tags: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
        autotitle: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strip>;
    secrets: z.ZodRecord<z.ZodString, z.ZodUnknown>;
}, z.core.$strip>;
export type ConversationRecord = z.infer<typeof recordSchema>;
/** The folder of conversations: one folder each, named by the 32 digits of its id. */
export declare class ConversationFiles {
    private readonly root;
    private readonly box;
    /**
     * @param root null keeps nothing on disk
     * @param secretKey null keeps what is secret off the disk: it is lost with the process
     */
    constructor(root: string | null, secretKey: string | null);
    /** The records of all conversations on disk. */
    load(): ConversationRecord[];
    /** Writes a record; an earlier one stays intact when the process dies meanwhile. */
    save(record: ConversationRecord): void;
    delete(id: string): void;
    /** The file of a conversation's log. */
    logPath(id: string): string | null;
    /** The folder of a conversation, as its info names it. */
    folder(id: string): string | null;
    private read;
}
export {};
