import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The bytes of a file that an agent can replace meanwhile.
 * @throws Error for anything but a regular file: a pipe would never begin, a device never end
 */
export function regularBytes(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is no regular file.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
