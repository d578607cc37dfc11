import { z } from 'zod';
declare const condition: z.ZodObject<{
    type: z.ZodString;
    status: z.ZodString;
    reason: z.ZodDefault<z.ZodString>;
    message: z.ZodDefault<z.ZodString>;
}, z.core.$strip>;
export type Condition = z.infer<typeof condition>;
declare const containerStatus: z.ZodObject<{
    name: z.ZodString;
    restartCount: z.ZodDefault<z.ZodNumber>;
    state: z.ZodDefault<z.ZodObject<{
        waiting: z.ZodOptional<z.ZodObject<{
            reason: z.ZodDefault<z.ZodString>;
            message: z.ZodDefault<z.ZodString>;
        }, z.core.$strip>>;
        terminated: z.ZodOptional<z.ZodObject<{
            reason: z.ZodDefault<z.ZodString>;
            message: z.ZodDefault<z.ZodString>;
            exitCode: z.ZodDefault<z.ZodNumber>;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
    lastState: z.ZodDefault<z.ZodObject<{
        terminated: z.ZodOptional<z.ZodObject<{
            reason: z.ZodDefault<z.ZodString>;
            message: z.ZodDefault<z.ZodString>;
            exitCode: z.ZodDefault<z.ZodNumber>;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
}, z.core.$strip>;
export type ContainerStatus = z.infer<typeof containerStatus>;
declare const podSchema: z.ZodPipe<z.ZodObject<{
    metadata: z.ZodObject<{
        name: z.ZodString;
        namespace: z.ZodDefault<z.ZodString>;
        uid: z.ZodDefault<z.ZodString>;
        resourceVersion: z.ZodDefault<z.ZodString>;
        labels: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
        annotations: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
        deletionTimestamp: z.ZodOptional<z.ZodString>;
        ownerReferences: z.ZodDefault<z.ZodArray<z.ZodObject<{
            kind: z.ZodString;
            name: z.ZodString;
            uid: z.ZodString;
        }, z.core.$strip>>>;
    }, z.core.$strip>;
    status: z.ZodPrefault<z.ZodObject<{
        phase: z.ZodDefault<z.ZodString>;
        reason: z.ZodDefault<z.ZodString>;
        message: z.ZodDefault<z.ZodString>;
        podIP: z.ZodDefault<z.ZodString>;
        conditions: z.ZodDefault<z.ZodArray<z.ZodObject<{
            type: z.ZodString;
            status: z.ZodString;
            reason: z.ZodDefault<z.ZodString>;
            message: z.ZodDefault<z.ZodString>;
        }, z.core.$strip>>>;
        initContainerStatuses: z.ZodDefault<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            restartCount: z.ZodDefault<z.ZodNumber>;
            state: z.ZodDefault<z.ZodObject<{
                waiting: z.ZodOptional<z.ZodObject<{
                    reason: z.ZodDefault<z.ZodString>;
                    message: z.ZodDefault<z.ZodString>;
                }, z.core.$strip>>;
                terminated: z.ZodOptional<z.ZodObject<{
                    reason: z.ZodDefault<z.ZodString>;
                    message: z.ZodDefault<z.ZodString>;
                    exitCode: z.ZodDefault<z.ZodNumber>;
                }, z.core.$strip>>;
            }, z.core.$strip>>;
            lastState: z.ZodDefault<z.ZodObject<{
                terminated: z.ZodOptional<z.ZodObject<{
                    reason: z.ZodDefault<z.ZodString>;
                    message: z.ZodDefault<z.ZodString>;
                    exitCode: z.ZodDefault<z.ZodNumber>;
                }, z.core.$strip>>;
            }, z.core.$strip>>;
        }, z.core.$strip>>>;
        containerStatuses: z.ZodDefault<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            restartCount: z.ZodDefault<z.ZodNumber>;
            state: z.ZodDefault<z.ZodObject<{
                waiting: z.ZodOptional<z.ZodObject<{
                    reason: z.ZodDefault<z.ZodString>;
                    message: z.ZodDefault<z.ZodString>;
                }, z.core.$strip>>;
                terminated: z.ZodOptional<z.ZodObject<{
                    reason: z.ZodDefault<z.ZodString>;
                    message: z.ZodDefault<z.ZodString>;
                    exitCode: z.ZodDefault<z.ZodNumber>;
                }, z.core.$strip>>;
            }, z.core.$strip>>;
            lastState: z.ZodDefault<z.ZodObject<{
                terminated: z.ZodOptional<z.ZodObject<{
                    reason: z.ZodDefault<z.ZodString>;
                    message: z.ZodDefault<z.ZodString>;
                    exitCode: z.ZodDefault<z.ZodNumber>;
                }, z.core.$strip>>;
            }, z.core.$strip>>;
        }, z.core.$strip>>>;
    }, z.core.$strip>>;
}, z.core.$strip>, z.ZodTransform<{
    phase: string;
    reason: string;
    message: string;
    podIP: string;
    conditions: {
        type: string;
        status: string;
        reason: string;
        message: string;
    }[];
    initContainerStatuses: {
        name: string;
        restartCount: number;
        state: {
            waiting?: {
                reason: string;
                message: string;
            } | undefined;
            terminated?: {
                reason: string;
                message: string;
                exitCode: number;
            } | undefined;
        };
        lastState: {
            terminated?: {
                reason: string;
                message: string;
                exitCode: number;
            } | undefined;
        };
    }[];
    containerStatuses: {
        name: string;
        restartCount: number;
        state: {
            waiting?: {
                reason: string;
                message: string;
            } | undefined;
            terminated?: {
                reason: string;
                message: string;
                exitCode: number;
            } | undefined;
        };
        lastState: {
            terminated?: {
                reason: string;
                message: string;
                exitCode: number;
            } | undefined;
        };
    }[];
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    labels: Record<string, string>;
    deletionTimestamp: string | undefined;
    owner: {
        kind: string;
        name: string;
        uid: string;
    } | null;
}, {
    metadata: {
        name: string;
        namespace: string;
        uid: string;
        resourceVersion: string;
        labels: Record<string, string>;
        annotations: Record<string, string>;
        ownerReferences: {
            kind: string;
            name: string;
            uid: string;
        }[];
        deletionTimestamp?: string | undefined;
    };
    status: {
        phase: string;
        reason: string;
        message: string;
        podIP: string;
        conditions: {
            type: string;
            status: string;
            reason: string;
            message: string;
        }[];
        initContainerStatuses: {
            name: string;
            restartCount: number;
            state: {
                waiting?: {
                    reason: string;
                    message: string;
                } | undefined;
                terminated?: {
                    reason: string;
                    message: string;
                    exitCode: number;
                } | undefined;
            };
            lastState: {
                terminated?: {
                    reason: string;
                    message: string;
                    exitCode: number;
                } | undefined;
            };
        }[];
        containerStatuses: {
            name: string;
            restartCount: number;
            state: {
                waiting?: {
                    reason: string;
                    message: string;
                } | undefined;
                terminated?: {
                    reason: string;
                    message: string;
                    exitCode: number;
                } | undefined;
            };
            lastState: {
                terminated?: {
                    reason: string;
                    message: string;
                    exitCode: number;
                } | undefined;
            };
        }[];
    };
}>>;
export type Pod = z.infer<typeof podSchema>;
declare const sandboxSchema: z.ZodPipe<z.ZodObject<{
    metadata: z.ZodObject<{
        name: z.ZodString;
        namespace: z.ZodDefault<z.ZodString>;
        uid: z.ZodDefault<z.ZodString>;
        resourceVersion: z.ZodDefault<z.ZodString>;
        labels: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
        annotations: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
        deletionTimestamp: z.ZodOptional<z.ZodString>;
        ownerReferences: z.ZodDefault<z.ZodArray<z.ZodObject<{
            kind: z.ZodString;
            name: z.ZodString;
            uid: z.ZodString;
        }, z.core.$strip>>>;
    }, z.core.$strip>;
    spec: z.ZodPrefault<z.ZodObject<{
        operatingMode: z.ZodDefault<z.ZodString>;
    }, z.core.$strip>>;
    status: z.ZodPrefault<z.ZodObject<{
        conditions: z.ZodDefault<z.ZodArray<z.ZodObject<{
            type: z.ZodString;
            status: z.ZodString;
            reason: z.ZodDefault<z.ZodString>;
            message: z.ZodDefault<z.ZodString>;
        }, z.core.$strip>>>;
    }, z.core.$strip>>;
}, z.core.$strip>, z.ZodTransform<{
    /** The claim by which it was given away; null for one that was made for its sandbox. */
    claimName: string | null;
    conditions: {
        type: string;
        status: string;
        reason: string;
        message: string;
    }[];
    operatingMode: string;
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
    deletionTimestamp?: string | undefined;
}, {
    metadata: {
        name: string;
        namespace: string;
        uid: string;
        resourceVersion: string;
        labels: Record<string, string>;
        annotations: Record<string, string>;
        ownerReferences: {
            kind: string;
            name: string;
            uid: string;
        }[];
        deletionTimestamp?: string | undefined;
    };
    spec: {
        operatingMode: string;
    };
    status: {
        conditions: {
            type: string;
            status: string;
            reason: string;
            message: string;
        }[];
    };
}>>;
export type SandboxObject = z.infer<typeof sandboxSchema>;
declare const claimSchema: z.ZodPipe<z.ZodObject<{
    metadata: z.ZodObject<{
        name: z.ZodString;
        namespace: z.ZodDefault<z.ZodString>;
        uid: z.ZodDefault<z.ZodString>;
        resourceVersion: z.ZodDefault<z.ZodString>;
        labels: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
        annotations: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
        deletionTimestamp: z.ZodOptional<z.ZodString>;
        ownerReferences: z.ZodDefault<z.ZodArray<z.ZodObject<{
            kind: z.ZodString;
            name: z.ZodString;
            uid: z.ZodString;
        }, z.core.$strip>>>;
    }, z.core.$strip>;
    status: z.ZodPrefault<z.ZodObject<{
        sandbox: z.ZodPrefault<z.ZodObject<{
            name: z.ZodDefault<z.ZodString>;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
}, z.core.$strip>, z.ZodTransform<{
    sandboxName: string;
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    labels: Record<string, string>;
}, {
    metadata: {
        name: string;
        namespace: string;
        uid: string;
        resourceVersion: string;
        labels: Record<string, string>;
        annotations: Record<string, string>;
        ownerReferences: {
            kind: string;
            name: string;
            uid: string;
        }[];
        deletionTimestamp?: string | undefined;
    };
    status: {
        sandbox: {
            name: string;
        };
    };
}>>;
export type SandboxClaim = z.infer<typeof claimSchema>;
export declare function readPod(object: unknown): Pod | null;
export declare function readSandbox(object: unknown): SandboxObject | null;
export declare function readClaim(object: unknown): SandboxClaim | null;
/** The condition of a type; undefined where it does not apply. */
export declare function conditionOf({ conditions }: {
    readonly conditions: readonly Condition[];
}, type: string): Condition | undefined;
export {};
