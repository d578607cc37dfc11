import { type SandboxStatus } from '../record/sandbox.ports';
export declare class SandboxCreateQuery {
    sandbox_spec_id?: string;
}
export declare class SandboxGetQuery {
    id: string[];
}
export declare class SandboxSearchQuery {
    page_id?: string;
    limit: number;
}
export declare class SandboxPath {
    sandbox_id: string;
}
export declare class SandboxSpecGetQuery {
    id: string[];
}
export declare class SandboxSpecSearchQuery {
    limit: number;
}
export declare class ExposedUrl {
    name: string;
    url: string;
    port: number;
}
export declare class SandboxInfo {
    id: string;
    created_by_user_id: string;
    sandbox_spec_id: string;
    status: SandboxStatus;
    session_api_key: string | null;
    exposed_urls: ExposedUrl[] | null;
    created_at: string;
    status_detail: string | null;
}
export declare class SandboxPage {
    items: SandboxInfo[];
    next_page_id: string | null;
}
export declare class SandboxLogsQuery {
    limit: number;
}
export declare class SandboxLogLines {
    lines: string[];
}
export declare class SandboxSpecInfo {
    id: string;
    description: string;
}
export declare class SandboxSpecPage {
    items: SandboxSpecInfo[];
    next_page_id: string | null;
}
export declare class SandboxSecretName {
    name: string;
    description: string | null;
}
export declare class SandboxSecretNames {
    secrets: SandboxSecretName[];
}
export declare class SandboxSecretPath extends SandboxPath {
    secret_name: string;
}
