import { type Permission, type Role } from '../../auth';
/** Query of `GET /api/v1/users/me`. */
export declare class CurrentUserQuery {
    expose_secrets: boolean;
}
/** The model of a profile, as the software development kit takes it. */
export declare class ModelProfile {
    model: string | null;
    base_url: string | null;
    api_key: string | null;
}
/** The model profiles that a user may name: their own and those of the organization. */
export declare class LlmProfiles {
    profiles: Record<string, ModelProfile>;
    active: string | null;
}
/** The tool servers of a user; there are none. */
export declare class McpConfig {
    sse_servers: unknown[];
    shttp_servers: unknown[];
    stdio_servers: unknown[];
}
/** Response of `GET /api/v1/users/me`. */
export declare class CurrentUser {
    id: string;
    org_id: string;
    email: string;
    name: string | null;
    role: Role;
    permissions: Permission[];
    llm_model: string | null;
    llm_base_url: string | null;
    llm_api_key: string | null;
    llm_profiles: LlmProfiles;
    mcp_config: McpConfig;
}
