/**
 * `node console/build.mjs`: types of the operations from openapi.json, the check of all types against them, and `console/dist`:
 * the page, and in `files` what it loads, compressed beforehand.
 *
 *   node console/build.mjs [--watch]  with --watch, builds again at each change, without the check
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import openapiTypescript, { astToString } from 'openapi-typescript';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const watches = process.argv.includes('--watch');

const document = JSON.parse(readFileSync(join(here, '..', 'openapi.json'), 'utf8'));
const schema = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
writeFileSync(join(here, 'src', 'api', 'schema.ts'), schema);

if (!watches) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '--project', here], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}

/** Writes the page, with the names of what this build has made, and the compressed files. */
const finish = {
  name: 'finish',
  setup: (/** @type {esbuild.PluginBuild} */ build) =>
    build.onEnd(({ metafile, outputFiles }) => {
      if (metafile === undefined || outputFiles === undefined) return;
      rmSync(dist, { recursive: true, force: true });
      mkdirSync(join(dist, 'files', 'assets'), { recursive: true });
      for (const { path, contents } of outputFiles) {
        writeFileSync(path, contents);
        writeFileSync(`${path}.br`, brotliCompressSync(contents));
        writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
      }
      writeFileSync(join(dist, 'index.html'), pageOf(metafile));
      writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(metafile));
      if (watches) process.stdout.write('Built the console.\n');
    }),
};

/** @param {esbuild.Metafile} metafile */
function pageOf({ outputs }) {
  const [name, entry] =
    Object.entries(outputs).find(([, output]) => output.entryPoint?.endsWith('src/main.tsx')) ?? [];
  if (name === undefined || entry === undefined) throw new Error('The console has no main script.');
  const address = (/** @type {string} */ file) => `%BASE%/console/assets/${basename(file)}`;
  const assets = [
    `<link rel="stylesheet" href="${address(entry.cssBundle ?? '')}" />`,
    ...entry.imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => `<link rel="modulepreload" href="${address(path)}" />`),
    `<script type="module" src="${address(name)}"></script>`,
  ];
  return readFileSync(join(here, 'index.html'), 'utf8').replace('%ASSETS%', assets.join('\n    '));
}

/** The licences of the packages that the scripts and styles contain. @param {esbuild.Metafile} metafile */
function licencesOf({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  return [...packages]
    .sort()
    .map((name) => {
      const folder = join(here, '..', 'node_modules', name);
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim()}\n`;
    })
    .join('\n---\n\n');
}

/** @type {esbuild.BuildOptions} */
const options = {
  absWorkingDir: here,
  entryPoints: ['src/main.tsx'],
  outdir: join(dist, 'files', 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  plugins: [finish],
};

if (watches) await (await esbuild.context(options)).watch();
else await esbuild.build(options);
