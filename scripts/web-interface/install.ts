import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  folderOfPackage,
  INTERFACE_CACHE,
  INTERFACE_PACKAGE,
  type InterfacePackage,
  type PinnedPackage,
} from '../../src/appliance/web-interface/installed/installed-interface';
import { compressFiles } from './compress-files';
import { checkIntegrity, fetchPackage } from './fetch-package';
import { unpackInterface } from './unpack-interface';

/** What is installed, where, and the log of progress; only tests set these. */
export interface InstallOptions {
  readonly wanted?: InterfacePackage;
  readonly cache?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly log?: (line: string) => void;
  /** How often it says that a download goes on. */
  readonly everyMs?: number;
  /** What fetches a package. */
  readonly fetch?: typeof fetchPackage;
}

const EVERY_MS = 10_000;

/**
 * Fetches the web interface if it is not there, which takes a minute, and returns its folder. It appears at once
 * and complete, or not at all; what was there before stays.
 * @throws Error with a sentence to print
 */
export async function installInterface(options: InstallOptions = {}): Promise<string> {
  const { wanted = INTERFACE_PACKAGE, cache = INTERFACE_CACHE, environment = process.env } = options;
  const { log = console.error, everyMs = EVERY_MS, fetch = fetchPackage } = options;
  const folder = join(cache, folderOfPackage(wanted));
  if (await isThere(folder)) {
    log(`The web interface ${wanted.version} is installed in ${folder}.`);
    return folder;
  }
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'incomplete-'));
  try {
    const fetched = async (pinned: PinnedPackage): Promise<string> => {
      const spec = `${pinned.name}@${pinned.version}`;
      log(`Fetching ${spec} from the npm registry.`);
      const since = performance.now();
      const goesOn = (): void => log(`  fetching for ${Math.round((performance.now() - since) / 1_000)} s`);
      const timer = setInterval(goesOn, everyMs);
      const packed = await fetch(pinned, work, environment).finally(() => clearInterval(timer));
      await checkIntegrity(packed, pinned);
      return packed;
    };
    const packed = {
      interface: await fetched(wanted),
      editor: await fetched(wanted.editor),
      icons: await fetched(wanted.icons),
    };
    log('Unpacking and compressing them.');
    const draft = join(work, 'interface');
    await unpackInterface(packed, wanted, draft);
    let tenths = 0;
    await compressFiles(join(draft, 'files'), (part) => {
      const now = Math.floor(part * 10);
      if (now > tenths) log(`  ${now * 10} % compressed`);
      tenths = now;
    });
    await moveTo(folder, draft);
    log(
      `The web interface ${wanted.version} is installed in ${folder}; the next start of the service has it.`,
    );
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Another run may have been faster: then its folder is as good. */
async function moveTo(folder: string, draft: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!(await isThere(folder))) throw error;
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

if (require.main === module) {
  installInterface().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
