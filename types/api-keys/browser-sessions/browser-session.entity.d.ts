import { type Relation } from 'typeorm';
import { ApiKey } from '../keys/api-key.entity';
/** Longer user agents are cut. */
export declare const MAX_USER_AGENT = 255;
/** A browser signed in with a key; the session ends with the key. */
export declare class BrowserSession {
    id: number;
    /** The key it was started with; user and organization are the key's. */
    apiKeyId: number;
    apiKey: Relation<ApiKey>;
    /** SHA-256 of the session's token, in hexadecimal. The token itself is not stored. */
    digest: string;
    /** The browser's user agent, to recognize the session by. */
    userAgent: string | null;
    createdAt: Date;
    /** To the hour. */
    lastUsedAt: Date;
}
