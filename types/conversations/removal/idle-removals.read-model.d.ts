import { Statement } from '../../database';
/**
 * Removals from shared servers that no job is planned for any more. By hand because it looks at the jobs, which are
 * not ours to map.
 */
export declare const IDLE_REMOVALS: Statement<{
    readonly id: string;
    readonly baseUrl: string | null;
}>;
