/** What the driver is called in settings and records. */
export declare const DRIVER = "docker";
/** Labels of what the driver makes. */
export declare const LABELS: {
    readonly sandbox: "org-conversation-service.sandbox";
    readonly installation: "org-conversation-service.installation";
    /** Of a claim, which is an empty volume: the store of its sandbox, which was made ahead. */
    readonly store: "org-conversation-service.store";
    /** Of what is made ahead: the installation that it is for. */
    readonly warm: "org-conversation-service.warm";
    /** Of a container that is made ahead: the settings that it was made with. */
    readonly settings: "org-conversation-service.settings";
};
/** The port of an agent server inside its container. */
export declare const PORT = 8000;
/** What the container of a sandbox is called, and its volume and network unless they were made ahead. */
export declare function nameOf(sandboxId: string): string;
/** What a container is called that is made ahead, with its volume and its network. */
export declare function nameAhead(id: string): string;
/** Whether something may be one that was made ahead: what else somebody labelled so is left alone. */
export declare function isNameAhead(name: string): boolean;
/** A container, and what it has of its own: that of a sandbox, or one that is made ahead. */
export interface Unit {
    /** What the container is called. */
    readonly name: string;
    /** What its volume and its network are called. */
    readonly store: string;
    readonly installationId: string;
    /** Labels of all three. */
    readonly labels: Readonly<Record<string, string>>;
    /** The content of the file with the keys of its agent server. */
    readonly keys: string;
    /** Variables of its own. */
    readonly environment: Readonly<Record<string, string>>;
}
/** The labels of what belongs to a sandbox. */
export declare function labelsOf(sandbox: {
    readonly id: string;
    readonly installationId: string;
}): Record<string, string>;
/** What the bridges of an installation's sandboxes begin with; names of interfaces have 15 characters at most. */
export declare function bridgePrefix(installationId: string): string;
/**
 * The interface of a network on the engine's host.
 * @param store the name of the network
 */
export declare function bridgeOf(store: string, installationId: string): string;
/**
 * The user that a sandbox's processes run as: no user of the image and of the engine's host, and hardly ever another
 * sandbox's.
 * @param store the name of its volume
 * @param isOneOfFew whether the engine has users up to 65535 only
 */
export declare function userOf(store: string, isOneOfFew: boolean): number;
