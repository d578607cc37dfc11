import { z } from 'zod';
/** Where events go, and how they are gathered before. The defaults are those of the real agent server. */
export declare const webhookSchema: z.ZodObject<{
    base_url: z.ZodPipe<z.ZodURL, z.ZodTransform<string, string>>;
    headers: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
    event_buffer_size: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    flush_delay: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    num_retries: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    retry_delay: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
}, z.core.$strip>;
export type WebhookSpec = z.infer<typeof webhookSchema>;
/** The model conversations run on; what a conversation's own start leaves open comes from here. */
export interface LlmDefaults {
    readonly model?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly apiKey?: string | undefined;
}
/** What one embedded agent server needs to know. */
export interface EmbeddedConfig {
    readonly host: string;
    readonly port: number;
    /** Any of them opens the API; none at all leaves it open. The first one goes with webhooks. */
    readonly sessionApiKeys: readonly string[];
    /** Origins whose pages may call, beyond those on this machine. */
    readonly corsOrigins: readonly string[];
    /** Encrypts what is secret on disk; without it secrets are kept in memory only. */
    readonly secretKey: string | null;
    /** Null keeps conversations in memory only. */
    readonly conversationsPath: string | null;
    readonly webhooks: readonly WebhookSpec[];
    /** The one folder whose files callers reach, and then they run no commands; null when all is the sandbox's own. */
    readonly confinedTo: string | null;
    readonly llm: LlmDefaults;
    /** It sleeps until somebody who shows `secretKey` gives it the keys of a sandbox. Default: it does not. */
    readonly isDeferred?: boolean;
}
type Environment = Readonly<Record<string, string | undefined>>;
/**
 * Reads the flags, environment variables and file that the real agent server takes, as far as they matter here,
 * and the `LLM_*` settings of the service. The flag `--own-user` says that the user of the process is the sandbox's
 * own, so that it may have commands and all files of that user.
 * @throws Error with one sentence for what is wrong
 */
export declare function readEmbeddedConfig(args: readonly string[], env: Environment): EmbeddedConfig;
export {};
