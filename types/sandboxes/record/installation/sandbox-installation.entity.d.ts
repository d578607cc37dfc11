/** The one row that says which installation this database belongs to. */
export declare class SandboxInstallation {
    id: string;
}
