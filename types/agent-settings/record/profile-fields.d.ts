/** Profiles of each kind per owner. */
export declare const MAX_PROFILES = 100;
/** The name of a profile; it is part of paths. */
export declare const profileName: () => import("../../validation").FieldType<string, string>;
