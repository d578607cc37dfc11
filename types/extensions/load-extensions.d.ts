import type { Extension, ExtensionModule } from './extension';
/**
 * Loads the default exports of files.
 * @param paths as `EXTENSIONS` has them, from the current folder
 * @throws StartError when one cannot be loaded, exports nothing that is an extension, or brings libraries twice
 */
export declare function loadExtensions(paths: readonly string[]): (Extension | ExtensionModule)[];
