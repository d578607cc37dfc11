import { isAbsolute, join, normalize } from 'node:path/posix';
import { PathOutsideWorkspaceError } from './views.errors';

/** Where clients take the work of a conversation to be, whatever its real folder is. */
const USUAL_FOLDER = '/workspace/project';

/**
 * The real path of what a client names, inside the folder of a conversation.
 * @param folder of the conversation, inside the sandbox
 * @param asked relative to that folder, below it, or below {@link USUAL_FOLDER}, which stands for it
 * @throws PathOutsideWorkspaceError for any other
 */
export function pathInside(folder: string, asked: string): string {
  const root = normalize(folder);
  const path = normalize(asked);
  if (asked.includes('\0')) throw new PathOutsideWorkspaceError();
  if (isInside(root, path)) return path;
  if (isInside(USUAL_FOLDER, path)) return join(root, path.slice(USUAL_FOLDER.length));
  const joined = join(root, path);
  if (isAbsolute(path) || !isInside(root, joined)) throw new PathOutsideWorkspaceError();
  return joined;
}

function isInside(root: string, path: string): boolean {
  return path === root || path === `${root}/` || path.startsWith(`${root}/`);
}
