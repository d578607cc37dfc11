/** The profiles of an organization. */
export declare class OrgProfilesPath {
    org_id: string;
}
/** Body of renaming a profile. */
export declare class ProfileRename {
    new_name: string;
}
/** The response to a change. */
export declare class ProfileChanged {
    name: string;
    message: string;
}
