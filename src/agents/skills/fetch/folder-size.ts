import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 100;

/**
 * Watches the size of a folder while a fetch fills it; bytes on the network may be compressed, so counting those
 * is not enough.
 * @param onTooLarge called once
 * @param done stops watching
 */
export async function watchFolderSize(
  folder: string,
  maxBytes: number,
  onTooLarge: () => void,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    if ((await folderSize(folder, maxBytes)) > maxBytes) {
      onTooLarge();
      return;
    }
    await sleep(INTERVAL_MS, undefined, { signal: done, ref: false }).catch(() => undefined);
  }
}

/** The size of a folder's files; counting stops beyond `maxBytes`. */
export async function folderSize(folder: string, maxBytes: number): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined && bytes <= maxBytes; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else bytes += (await stat(path).catch(() => null))?.size ?? 0;
    }
  }
  return bytes;
}
