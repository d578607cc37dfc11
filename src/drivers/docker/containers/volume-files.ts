import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { PATHS } from './container';
import type { Engine } from '../engine';

const fileSchema = z.object({ secret_key: z.string() });

/**
 * What is put into a volume before each start, as an archive: the folders of its user, and the file with the
 * keys of its agent server, which the user can read and not replace.
 */
export async function volumeFiles(keys: string, uid: number): Promise<NodeJS.ReadableStream> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  // In an extension of the format: its own fields end at 2097151.
  const owner = { pax: { uid: String(uid), gid: String(uid) } };
  for (const folder of [PATHS.workingDir, PATHS.home, PATHS.state])
    archive.entry({ ...owner, name: `${withinVolume(folder)}/`, type: 'directory', mode: 0o700 });
  archive.entry({ ...owner, name: withinVolume(PATHS.keys), mode: 0o400 }, keys);
  archive.finalize();
  return archive;
}

/** The key of an agent server that waits for others, as the file in its container has it. */
export async function keysIn(engine: Engine, container: string): Promise<string> {
  const { extract } = await import('tar-stream');
  const archive = await engine.use((docker) =>
    docker.getContainer(container).getArchive({ path: PATHS.keys }),
  );
  const files = extract();
  archive.pipe(files);
  for await (const file of files) return fileSchema.parse(JSON.parse(await text(file))).secret_key;
  throw new Error('There is no file with keys.');
}

function withinVolume(path: string): string {
  return path.slice(`${PATHS.volume}/`.length);
}
