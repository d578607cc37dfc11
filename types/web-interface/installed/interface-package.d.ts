/** A package of the npm registry: what is fetched has to match it byte for byte. */
export interface PinnedPackage {
    readonly name: string;
    readonly version: string;
    /** SHA-512 of the package, in the format of registries. */
    readonly integrity: string;
}
/** The package with the web interface. */
export interface InterfacePackage extends PinnedPackage {
    /** The editor that shows changes in files: the build itself would have browsers fetch it from a stranger. */
    readonly editor: EditorPackage;
}
/** The package with the editor, and where the build of the interface looks for it. */
export interface EditorPackage extends PinnedPackage {
    /** The address that stands in the build. */
    readonly address: string;
}
/** The one that this build of the service was tested with. */
export declare const INTERFACE_PACKAGE: InterfacePackage;
