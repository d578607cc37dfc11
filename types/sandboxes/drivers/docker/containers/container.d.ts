import type { ContainerCreateOptions, ContainerInspectInfo } from 'dockerode';
import type { Settings } from '../../../../config';
import { type Unit } from '../names';
/** Where things are inside a container. */
export declare const PATHS: {
    /** The volume; its top belongs to root, so that the file with the keys stays in its place. */
    readonly volume: "/workspace";
    readonly workingDir: "/workspace/project";
    readonly home: "/workspace/.home";
    readonly state: "/workspace/.agent-server";
    readonly keys: "/workspace/.agent-server.json";
};
/**
 * The container of a unit: nothing in it is writable but its volume and `/tmp`, its processes have no capability and
 * gain none, and its keys are neither in its environment nor in its labels.
 * @param published the address of the engine's host at which its port is published; null for none
 */
export declare function containerOf(settings: Settings, unit: Unit, { uid, published }: {
    readonly uid: number;
    readonly published: string | null;
}): ContainerCreateOptions;
/** The name of the volume with the workspace: an image may make others, in any order. */
export declare function volumeOf({ Mounts }: Pick<ContainerInspectInfo, 'Mounts'>): string | undefined;
