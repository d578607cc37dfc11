/** The groups and versions of agent-sandbox that are spoken. */
export declare const SANDBOX_GROUP = "agents.x-k8s.io";
export declare const EXTENSIONS_GROUP = "extensions.agents.x-k8s.io";
export declare const SANDBOX_VERSION = "v1beta1";
declare const API: {
    readonly sandboxes: "/apis/agents.x-k8s.io/v1beta1";
    readonly sandboxclaims: "/apis/extensions.agents.x-k8s.io/v1beta1";
    readonly sandboxtemplates: "/apis/extensions.agents.x-k8s.io/v1beta1";
    readonly sandboxwarmpools: "/apis/extensions.agents.x-k8s.io/v1beta1";
    readonly pods: "/api/v1";
    readonly secrets: "/api/v1";
    readonly resourcequotas: "/api/v1";
    readonly networkpolicies: "/apis/networking.k8s.io/v1";
};
/** A kind of object that the service works with, as in paths. */
export type Resource = keyof typeof API;
/** Where objects of a kind are: of one namespace, or of all where it is null; with a name, that one. */
export declare function pathOf(resource: Resource, namespace: string | null, name?: string): string;
/** Where a namespace is. */
export declare function namespacePath(namespace: string): string;
export {};
