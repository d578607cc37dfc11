import { isAbsolute, join, normalize } from 'node:path/posix';
import { PathOutsideWorkspaceError } from './views.errors';

/** Where clients assume a conversation's folder, whatever it really is. */
const ASSUMED_FOLDER = '/workspace/project';

/**
 * The real path of what a client names, inside the folder of a conversation.
 * @param folder the conversation's, inside the sandbox
 * @param requested relative to that folder, below it, or below {@link ASSUMED_FOLDER}, which stands for it
 * @throws PathOutsideWorkspaceError for any other
 */
export function pathInside(folder: string, requested: string): string {
  const root = normalize(folder);
  const path = normalize(requested);
  if (requested.includes('\0')) throw new PathOutsideWorkspaceError();
  if (isInside(root, path)) return path;
  if (isInside(ASSUMED_FOLDER, path)) return join(root, path.slice(ASSUMED_FOLDER.length));
  const joined = join(root, path);
  if (isAbsolute(path) || !isInside(root, joined)) throw new PathOutsideWorkspaceError();
  return joined;
}

function isInside(root: string, path: string): boolean {
  return path === root || path === `${root}/` || path.startsWith(`${root}/`);
}
