import { type LowestRoles } from '../auth';
import type { Extension, ExtensionModule } from './extension';
/** All that extensions add to a service, together. */
export interface Extensions {
    readonly modules: readonly ExtensionModule[];
    readonly permissions: LowestRoles;
    readonly entities: NonNullable<Extension['entities']>;
    /** Those that have migrations, in the order in which these run. */
    readonly migrating: readonly ExtensionMigrations[];
    readonly sandboxDrivers: readonly string[];
}
/** The migrations of one extension. */
export type ExtensionMigrations = Required<Pick<Extension, 'name' | 'migrations'>>;
/**
 * Puts extensions together.
 * @throws StartError when one of them is not valid, or two do not go together
 */
export declare function combineExtensions(given: readonly (Extension | ExtensionModule)[]): Extensions;
/** Whether it is declared as an extension; else it is a Nest module. */
export declare function isExtension(given: Extension | ExtensionModule): given is Extension;
