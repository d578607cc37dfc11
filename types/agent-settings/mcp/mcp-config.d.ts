import { z } from 'zod';
export declare const MAX_MCP_SERVERS = 50;
export declare const MAX_MCP_BYTES: number;
declare const mcpServer: z.ZodObject<{
    transport: z.ZodExactOptional<z.ZodEnum<{
        http: "http";
        stdio: "stdio";
        "streamable-http": "streamable-http";
        sse: "sse";
    }>>;
    url: z.ZodExactOptional<z.ZodString>;
    command: z.ZodExactOptional<z.ZodString>;
    args: z.ZodExactOptional<z.ZodArray<z.ZodString>>;
    env: z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
    cwd: z.ZodExactOptional<z.ZodString>;
    description: z.ZodExactOptional<z.ZodString>;
    icon: z.ZodExactOptional<z.ZodString>;
    timeout: z.ZodExactOptional<z.ZodNumber>;
    sse_read_timeout: z.ZodExactOptional<z.ZodNumber>;
    keep_alive: z.ZodExactOptional<z.ZodBoolean>;
    headers: z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
    auth: z.ZodExactOptional<z.ZodObject<{
        strategy: z.ZodEnum<{
            header: "header";
            none: "none";
            oauth2: "oauth2";
            api_key: "api_key";
            bearer: "bearer";
            basic: "basic";
        }>;
    }, z.core.$loose>>;
    enabled: z.ZodExactOptional<z.ZodBoolean>;
}, z.core.$strip>;
/** Servers with tools for agents, by name, as agent servers take them. */
export declare const mcpConfig: z.ZodRecord<z.ZodString, z.ZodObject<{
    transport: z.ZodExactOptional<z.ZodEnum<{
        http: "http";
        stdio: "stdio";
        "streamable-http": "streamable-http";
        sse: "sse";
    }>>;
    url: z.ZodExactOptional<z.ZodString>;
    command: z.ZodExactOptional<z.ZodString>;
    args: z.ZodExactOptional<z.ZodArray<z.ZodString>>;
    env: z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
    cwd: z.ZodExactOptional<z.ZodString>;
    description: z.ZodExactOptional<z.ZodString>;
    icon: z.ZodExactOptional<z.ZodString>;
    timeout: z.ZodExactOptional<z.ZodNumber>;
    sse_read_timeout: z.ZodExactOptional<z.ZodNumber>;
    keep_alive: z.ZodExactOptional<z.ZodBoolean>;
    headers: z.ZodExactOptional<z.ZodRecord<z.ZodString, z.ZodString>>;
    auth: z.ZodExactOptional<z.ZodObject<{
        strategy: z.ZodEnum<{
            header: "header";
            none: "none";
            oauth2: "oauth2";
            api_key: "api_key";
            bearer: "bearer";
            basic: "basic";
        }>;
    }, z.core.$loose>>;
    enabled: z.ZodExactOptional<z.ZodBoolean>;
}, z.core.$strip>>;
export type McpServer = z.infer<typeof mcpServer>;
export type McpConfig = z.infer<typeof mcpConfig>;
/** @returns what keeps a patch from being merged, or null */
export declare function patchProblem(patch: Readonly<Record<string, unknown>>): string | null;
/**
 * Reads what a merge resulted in.
 * @returns the servers, or what is wrong with them: never with a value of theirs
 */
export declare function readMcpConfig(value: unknown): McpConfig | string;
/** What agents get of the servers: those that are not turned off. */
export declare function enabledServers(config: McpConfig): Record<string, Omit<McpServer, 'enabled'>>;
export {};
