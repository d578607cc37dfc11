import { z } from 'zod';
/** What `POST …/events` takes. */
export declare const sendMessageSchema: z.ZodObject<{
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
}, z.core.$strip>;
/** What a client may send over a WebSocket; there the content may also be a plain text. */
export declare const socketMessageSchema: z.ZodObject<{
    role: z.ZodEnum<{
        user: "user";
        system: "system";
        assistant: "assistant";
        tool: "tool";
    }>;
    content: z.ZodUnion<readonly [z.ZodPipe<z.ZodString, z.ZodTransform<{
        type: "text";
        text: string;
        cache_prompt: boolean;
    }[], string>>, z.ZodDefault<z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
        type: z.ZodDefault<z.ZodLiteral<"text">>;
        text: z.ZodString;
        cache_prompt: z.ZodDefault<z.ZodBoolean>;
    }, z.core.$strict>, z.ZodObject<{
        type: z.ZodDefault<z.ZodLiteral<"image">>;
        image_urls: z.ZodArray<z.ZodString>;
        cache_prompt: z.ZodDefault<z.ZodBoolean>;
    }, z.core.$strip>]>>>]>;
}, z.core.$strip>;
export type UserMessage = z.infer<typeof socketMessageSchema>;
export type ContentBlock = UserMessage['content'][number];
/** The texts of a message, and what else it has. */
export declare function plainText(blocks: readonly ContentBlock[]): string;
