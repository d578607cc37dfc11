/** A server with tools for agents: reached at an address, or started in the sandbox by a command. */
export declare class McpServerView {
    transport?: 'stdio' | 'http' | 'streamable-http' | 'sse';
    url?: string;
    command?: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    description?: string;
    icon?: string;
    timeout?: number;
    sse_read_timeout?: number;
    keep_alive?: boolean;
    headers?: Record<string, string>;
    auth?: Record<string, unknown>;
    enabled?: boolean;
}
