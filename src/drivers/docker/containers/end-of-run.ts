import type { ContainerInspectInfo } from 'dockerode';
import type { Settings } from '../../../kernel/config';
import { outOfMemory } from '../../out-of-memory';

const KILLED = 137;

/**
 * Why a container does not run, as a sentence for the sandbox's creator.
 * @param disk what is to be said of its disk, or null
 */
export function endOfRun(
  { State: state }: Pick<ContainerInspectInfo, 'State'>,
  settings: Pick<Settings, 'SANDBOX_MEMORY_MEBIBYTES'>,
  disk: string | null,
): string | null {
  if (state.Running) return null;
  if (state.OOMKilled) return outOfMemory(settings);
  if (disk !== null) return disk;
  if (state.Error !== '') return `The container engine says: ${state.Error.trim().replace(/\.$/, '')}.`;
  if (state.ExitCode === KILLED) return 'Its container was killed (exit code 137).';
  return `Its container ended with exit code ${state.ExitCode}; its log may say why.`;
}
