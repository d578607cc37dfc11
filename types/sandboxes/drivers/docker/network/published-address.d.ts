import type { ContainerInspectInfo } from 'dockerode';
import { type Settings } from '../../../../config';
import type { Engine } from '../engine';
/** How the service reaches containers: at addresses of their own, or at ports of the engine's host. */
export declare class PublishedAddress {
    private readonly settings;
    private readonly engine;
    constructor(settings: Pick<Settings, 'DOCKER_PUBLISH_ADDRESS'>, engine: Engine);
    /** The address of the engine's host at which ports are published; null for none. */
    ofHost(): Promise<string | null>;
    /** Where the agent server of a container that just started is; it may be elsewhere after each start. */
    of({ NetworkSettings }: ContainerInspectInfo): Promise<string | null>;
}
