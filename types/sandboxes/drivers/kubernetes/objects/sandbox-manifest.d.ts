import type { Settings } from '../../../../config';
/** A sandbox as the cluster is asked for it. */
export declare function sandboxManifest(place: {
    readonly name: string;
    readonly namespace: string;
}, labels: Readonly<Record<string, string>>, podTemplate: Readonly<Record<string, unknown>>, settings: Settings): Record<string, unknown>;
/** The volume of a workspace. */
export declare function volumeClaims({ SANDBOX_DISK_MEBIBYTES, KUBERNETES_STORAGE_CLASS }: Settings): unknown[];
/** What makes a sandbox run again, as JSON patch: with the pod as it would be made now. */
export declare function resumption(podTemplate: Readonly<Record<string, unknown>>): unknown[];
/** What suspends a sandbox, as merge patch. @param because kept with it; empty when somebody wanted it */
export declare function suspension(because: string): Record<string, unknown>;
