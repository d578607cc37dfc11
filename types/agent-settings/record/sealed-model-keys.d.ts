import type { SealedColumn } from '../../database';
/** The column that stores the keys of users' own models. */
export declare const SEALED_SETTINGS_KEYS: SealedColumn;
/** The column that stores the keys of model profiles. */
export declare const SEALED_PROFILE_KEYS: SealedColumn;
/** The column that stores the keys of provider connections. */
export declare const SEALED_CONNECTION_KEYS: SealedColumn;
/** Where the MCP servers of users are kept. */
export declare const SEALED_MCP_CONFIGS: SealedColumn;
