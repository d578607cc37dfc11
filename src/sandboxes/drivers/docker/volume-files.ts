import { agentServerFile } from '../agent-server-environment';
import { PATHS } from './container';

/**
 * What is put into a sandbox's volume before each start, as an archive: the folders of its user, and the file with the
 * keys of its agent server, which the user can read and not replace.
 */
export async function volumeFiles(sessionKey: string, uid: number): Promise<NodeJS.ReadableStream> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  // In an extension of the format: its own fields end at 2097151.
  const owner = { pax: { uid: String(uid), gid: String(uid) } };
  for (const folder of [PATHS.workingDir, PATHS.home, PATHS.state])
    archive.entry({ ...owner, name: `${withinVolume(folder)}/`, type: 'directory', mode: 0o700 });
  archive.entry({ ...owner, name: withinVolume(PATHS.keys), mode: 0o400 }, agentServerFile(sessionKey));
  archive.finalize();
  return archive;
}

function withinVolume(path: string): string {
  return path.slice(`${PATHS.volume}/`.length);
}
