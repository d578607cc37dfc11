import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** A path that callers must not use. */
export class OutsideFolderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutsideFolderError';
  }
}

/**
 * The files that the API may touch: all that the user of this process may, where that user is the sandbox's own,
 * or those under one folder (docs/sandboxes.md#isolation).
 */
export class SandboxFolder {
  /** @param confinedTo the one folder; null for all files */
  constructor(private readonly confinedTo: string | null) {}

  /**
   * The path to use for a path that a caller gave, which need not exist yet. Links are followed before it is judged.
   * @throws OutsideFolderError
   */
  resolve(path: string): string {
    if (this.confinedTo === null) return path;
    const root = realPath(this.confinedTo);
    const real = isAbsolute(path) ? realPath(resolve(path)) : '';
    if (real !== root && !real.startsWith(root + sep))
      throw new OutsideFolderError(`This agent server has files under ${this.confinedTo} only.`);
    return real;
  }
}

/** The real path of what exists of a path, with the rest behind it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // A link to nothing, or in a circle, is no part that can be made.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || dirname(path) === path)
      throw new OutsideFolderError('The path cannot be followed.');
    return join(realPath(dirname(path)), basename(path));
  }
}
