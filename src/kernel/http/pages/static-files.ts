import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Request, Response } from 'express';
import { isRecord } from '../../common';

/** Precompressed forms of a file, stored next to it, the preferred one first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** The names of files below contain a digest of their content. */
const HASHED = '/assets/';

/**
 * The files of a folder, listed when the service starts: a request path reaches the file system only if it is in that
 * list. Content stays on disk.
 */
export class StaticFiles {
  private constructor(
    private readonly root: string,
    private readonly names: ReadonlySet<string>,
  ) {}

  /** Lists the files below a folder. */
  static async below(root: string): Promise<StaticFiles> {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')}`);
    return new StaticFiles(root, new Set(names));
  }

  /**
   * Sends the file of a request in the best encoding its client accepts, with support for ranges and conditional
   * requests.
   * @param path as in the request
   * @returns whether there is such a file
   */
  async send(path: string, request: Request, response: Response): Promise<boolean> {
    const name = decoded(path);
    if (name === null || !this.names.has(name)) return false;
    const encoding = ENCODINGS.find(
      ({ name: coding, suffix }) =>
        this.names.has(name + suffix) && request.acceptsEncodings(coding) === coding,
    );
    response.set({
      'Cache-Control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      ...(encoding !== undefined && { 'Content-Encoding': encoding.name }),
    });
    response.type(extname(name));
    await this.transfer(response, name + (encoding?.suffix ?? ''));
    return true;
  }

  private transfer(response: Response, name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      response.sendFile(name, { root: this.root, cacheControl: false, dotfiles: 'deny' }, (error) => {
        const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined;
        if (!(error instanceof Error) || response.headersSent || response.destroyed) resolve();
        else if (status === 416 || status === 412) {
          refuse(response, status, error);
          resolve();
        } else reject(error);
      });
    });
  }
}

/** The range or condition does not match the file. */
function refuse(response: Response, status: number, error: Error): void {
  const headers: unknown = Reflect.get(error, 'headers');
  response.removeHeader('Content-Encoding');
  if (isRecord(headers)) response.set('Content-Range', String(headers['Content-Range']));
  response.status(status).set('Cache-Control', 'no-store').end();
}

/** The request path, decoded; null for one that no link could have. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
