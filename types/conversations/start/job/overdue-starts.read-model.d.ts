import { Statement } from '../../../database';
/**
 * Start tasks that are past their deadline, or that nobody has touched for an interval ($1) and that no job is
 * planned for. By hand because it looks at the jobs, which are not ours to map.
 */
export declare const OVERDUE_STARTS: Statement<{
    readonly id: string;
}>;
