import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { MEBIBYTE, messageOf } from '../../../kernel/common';
import type { Settings } from '../../../kernel/config';
import { fail, type Finding, ok, warn } from '../finding';

/** Below this little more than a few writes fits. */
const FULL_MEBIBYTES = 256;
const LOW_MEBIBYTES = 2_048;

/** Whether `DATA_DIR` can be written, and how much room there is. Makes nothing. */
export async function checkDataFolder({ DATA_DIR }: Settings): Promise<Finding[]> {
  const folder = resolve(DATA_DIR);
  const existing = await nearestExisting(folder);
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
    const { uid } = await stat(existing);
    const own = process.getuid?.();
    const findings =
      existing === folder && own !== undefined && own !== uid
        ? [
            warn(
              'data folder',
              `DATA_DIR ${folder} belongs to another user (${uid}) than this one (${own}).`,
              'Run this as the user of the service, or give the folder to it with chown.',
            ),
          ]
        : [
            ok(
              'data folder',
              `DATA_DIR ${folder} ${existing === folder ? 'can be written' : 'can be made'}.`,
            ),
          ];
    return [...findings, await roomIn(existing)];
  } catch (error) {
    return [
      fail(
        'data folder',
        `DATA_DIR ${folder} cannot be written: ${messageOf(error)}.`,
        'Give it to the user of the service, or set DATA_DIR to another folder.',
      ),
    ];
  }
}

async function roomIn(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MEBIBYTE);
  const says = `${free} MiB are free on the disk of DATA_DIR.`;
  if (free < FULL_MEBIBYTES)
    return fail('disk', says, 'Free space, or set DATA_DIR to a folder on another disk.');
  if (free < LOW_MEBIBYTES) return warn('disk', says, 'Free space before the database or sandboxes need it.');
  return ok('disk', says);
}

async function nearestExisting(folder: string): Promise<string> {
  for (let path = folder; ; path = dirname(path))
    if ((await stat(path).catch(() => null)) !== null || path === dirname(path)) return path;
}
