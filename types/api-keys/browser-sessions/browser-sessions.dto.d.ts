/** A browser signed in with a key. */
export declare class BrowserSessionResponse {
    id: number;
    api_key_id: number;
    user_agent: string | null;
    created_at: string;
    last_used_at: string;
    expires_at: string;
    is_current: boolean;
}
/** Path of operations on one session. */
export declare class BrowserSessionPath {
    session_id: string;
}
/** Response of `DELETE /api/sessions/{session_id}`. */
export declare class BrowserSessionEnded {
    message: string;
}
