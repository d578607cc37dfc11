import type { SecretBox } from '../../common';
import { type SqlRunner } from '../../database';
/** Open invitations whose links derive from one key. */
export interface OpenLinks {
    readonly count: number;
    /** When the last of them expires. */
    readonly until: Date;
}
/** Counts the links of open invitations by the id of the key that they derive from; unknown keys are left out. */
export declare function countOpenLinks(runner: SqlRunner, box: SecretBox): Promise<Map<string, OpenLinks>>;
