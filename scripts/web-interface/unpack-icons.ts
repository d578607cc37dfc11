import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressedPackage } from '../../src/appliance/web-interface/installed/installed-interface';
import { unpackPart } from './unpack-part';

/**
 * Puts the icons that a build asks for below its assets, in the colours it wants, and its scripts ask for them there. Those that
 * the package has not keep their address.
 * @param code of the build, which is changed
 */
export async function unpackIcons(
  packed: string,
  { address, version }: AddressedPackage,
  assets: string,
  code: Map<string, string>,
): Promise<void> {
  const pattern = new RegExp(`${address.replaceAll('.', '\\.')}/(\\w+)/([0-9A-Fa-f]{6})`, 'g');
  const wanted = new Set(
    [...code.values()].flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)),
  );
  const plain = join(assets, 'icons-without-colour');
  const has = await unpackPart(packed, plain, (path) => {
    const [, name] = /^icons\/(\w+)\.svg$/.exec(path) ?? [];
    return name !== undefined && wanted.has(name) ? `${name}.svg` : null;
  });
  const folder = `icons-${version}`;
  await mkdir(join(assets, folder));
  const made = new Map<string, string>();
  for (const [file, text] of code)
    code.set(
      file,
      text.replace(pattern, (asked: string, name: string, colour: string) => {
        if (!has.includes(`${name}.svg`)) return asked;
        made.set(`${name}-${colour}.svg`, colour);
        return `/assets/${folder}/${name}-${colour}.svg`;
      }),
    );
  for (const [file, colour] of made) {
    const icon = await readFile(join(plain, file.replace(`-${colour}`, '')), 'utf8');
    await writeFile(join(assets, folder, file), icon.replace('<svg ', `<svg fill="#${colour}" `));
  }
  await rm(plain, { recursive: true, force: true });
}
