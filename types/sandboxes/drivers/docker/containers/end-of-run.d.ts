import type { ContainerInspectInfo } from 'dockerode';
import type { Settings } from '../../../../config';
/**
 * Why a container does not run, as a sentence for the sandbox's creator.
 * @param disk what is to be said of its disk, or null
 */
export declare function endOfRun({ State: state }: Pick<ContainerInspectInfo, 'State'>, { SANDBOX_MEMORY_MEBIBYTES: memory }: Pick<Settings, 'SANDBOX_MEMORY_MEBIBYTES'>, disk: string | null): string | null;
