import nodeModule from 'node:module';
import { join } from 'node:path';

/** Node's own, from 22.1 on; the types are those of the oldest Node that the service starts with. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Keeps what V8 compiles of the service and its packages for later starts, where Node does that. The cache has a part for
 * each version of Node and for each user, and is asked only for files that are still the same. Its folder is within the
 * build, with which it goes: who can write there decides what runs anyway. Where the service cannot, nothing is kept.
 * To be imported before what it is for.
 */
const { enableCompileCache }: typeof nodeModule & CompileCache = nodeModule;
enableCompileCache?.(join(__dirname, '.cache'));
