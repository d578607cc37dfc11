import type { Extension, ExtensionModule } from './extension';
import type { Extensions } from './extensions';
export declare const NO_EXTENSIONS: Extensions;
/**
 * The extensions of a program, and those that its environment names in `EXTENSIONS`. Without any, nothing is loaded.
 * @throws StartError
 */
export declare function gatherExtensions(ofProgram: readonly (Extension | ExtensionModule)[], env: Readonly<Record<string, string | undefined>>): Promise<Extensions>;
