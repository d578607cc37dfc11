/**
 * The page of all settings: the interface links to it where its back end is a remote one, and has most of its pages of
 * settings in no menu then.
 * @param origin of the service
 */
export declare function settingsPage(origin: string): string;
