import type { Settings } from '../kernel/config';

/** Why a sandbox does not run whose processes had no memory left, as a sentence for its creator. */
export function outOfMemory({
  SANDBOX_MEMORY_MEBIBYTES: memory,
}: Pick<Settings, 'SANDBOX_MEMORY_MEBIBYTES'>): string {
  return `It ran out of memory: it may have ${memory} MiB (SANDBOX_MEMORY_MEBIBYTES).`;
}
