import { type InterfacePackage } from './interface-package';
/** Where `npm run web:install` stores what it fetched: `.cache/web-interface` of the project. */
export declare const INTERFACE_CACHE: string;
/** A web interface installed on this machine by `npm run web:install`. */
export interface InstalledInterface {
    readonly version: string;
    /** Contains `index.html` and the folder `files`, with compressed files next to the others. */
    readonly folder: string;
}
/** The folder name of a package below {@link INTERFACE_CACHE}. */
export declare function folderOfPackage({ version, integrity, editor }: InterfacePackage): string;
/**
 * The installed web interface: the one this build of the service was tested with, else the one installed last.
 * @returns null if there is none
 */
export declare function findInterface(cache?: string): Promise<InstalledInterface | null>;
