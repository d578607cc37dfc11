import { type Caller } from '../../auth';
import { type Owner } from '../../common';
/** The owners that a request about profiles concerns. */
export interface ProfileScope {
    /** Whose profiles it changes. */
    readonly owner: Owner;
    /** Whose profiles it sees. */
    readonly seen: readonly Owner[];
}
/** The profiles of an organization. */
export declare function ofOrganization(orgId: string): ProfileScope;
/** The profiles of a caller: with a bound key those of its organization, then those for all organizations. */
export declare function ofCaller(caller: Caller): ProfileScope;
interface Named {
    readonly name: string;
    readonly userId: string | null;
    readonly orgId: string | null;
}
/** Of several with the same name the nearest owner's; ordered by name. */
export declare function nearestByName<Row extends Named>(rows: readonly Row[]): Row[];
/**
 * The profile that a request may change.
 * @param found the visible ones with a name
 * @throws ProfileNotFoundError, ProfileOfAllOrganizationsError
 */
export declare function changeable<Row extends Named>({ owner }: ProfileScope, found: readonly Row[]): Row;
export {};
