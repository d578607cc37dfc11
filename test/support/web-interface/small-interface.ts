import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const APP_SCRIPT = `console.log('app');\n`.repeat(200);

const INDEX = `<!DOCTYPE html><html><head><title>Small</title><script type="module" src="/assets/app-1a2b.js"></script></head>
<body><script>window.inline = 1;</script><script type="module" async="">import "/assets/app-1a2b.js";
</script></body></html>`;

/** A web interface as `npm run web:install` leaves one, but small. @returns its folder */
export async function makeSmallInterface(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interface-'));
  const files: Record<string, string | Buffer> = {
    'index.html': INDEX,
    LICENSE: 'MIT',
    'files/assets/app-1a2b.js': APP_SCRIPT,
    'files/assets/app-1a2b.js.br': brotliCompressSync(APP_SCRIPT),
    'files/assets/app-1a2b.js.gz': gzipSync(APP_SCRIPT),
    'files/assets/a~b-3c4d.css': 'body {}',
    'files/locales/en/app.json': '{}',
    'files/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return folder;
}
