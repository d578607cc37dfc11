import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files below a folder that have any of some texts in their contents or names. */
export async function textsInFolder(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? await readFile(path).catch(() => Buffer.alloc(0)) : Buffer.alloc(0);
    if (texts.some((text) => entry.name.includes(text) || content.includes(text))) found.push(path);
  }
  return found;
}
