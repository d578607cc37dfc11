/** Body of `POST /api/keys`. */
export declare class ApiKeyCreate {
    name: string | null;
    expires_at: Date | null;
    not_before: Date | null;
    org_id?: string | null;
}
/** A key without its text. */
export declare class ApiKeyResponse {
    id: number;
    name: string | null;
    created_at: string;
    last_used_at: string | null;
    not_before: string | null;
    expires_at: string | null;
    org_id: string | null;
}
/** A key just issued, with its text. */
export declare class ApiKeyCreated extends ApiKeyResponse {
    key: string | null;
}
/** The key of the request, and what it gives access to. */
export declare class CurrentApiKey {
    id: number;
    name: string | null;
    org_id: string;
    bound_org_id: string | null;
    user_id: string;
    auth_type: 'api_key';
}
/** Path of operations on one key. */
export declare class ApiKeyPath {
    key_id: string;
}
/** Response of `DELETE /api/keys/{key_id}`. */
export declare class ApiKeyRevoked {
    message: string;
}
