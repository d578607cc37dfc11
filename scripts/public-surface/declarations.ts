import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const CONFIG = join(ROOT, 'tsconfig.types.json');

/** The declarations of the package as it is packed, in memory. */
export interface Declarations {
  readonly checker: ts.TypeChecker;
  /** @param source a file of `src`, from there and without its extension */
  file(source: string): ts.SourceFile;
  /** Whether a node is declared in the package, not in a library. */
  isOwn(node: ts.Node): boolean;
}

/** Makes the declarations of source files and all that these import. @param sources as of {@link Declarations.file} */
export function declarationsOf(sources: readonly string[]): Declarations {
  const options = readOptions();
  const made = new Map<string, string>();
  ts.createProgram(
    sources.map((source) => join(ROOT, 'src', `${source}.ts`)),
    { ...options, removeComments: true },
  ).emit(undefined, (path, text) => made.set(path, text), undefined, true);

  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile, directoryExists } = host;
  const folders = new Set([...made.keys()].flatMap(foldersAbove));
  host.fileExists = (path) => made.has(path) || fileExists(path);
  host.readFile = (path) => made.get(path) ?? readFile(path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.(path) ?? true);
  host.getSourceFile = (path, target, ...rest) => {
    const text = made.get(path);
    return text === undefined
      ? getSourceFile(path, target, ...rest)
      : ts.createSourceFile(path, text, target, true);
  };
  const pathOf = (source: string): string => join(options.outDir ?? '', `${source}.d.ts`);
  const program = ts.createProgram(sources.map(pathOf), { ...options, noEmit: true }, host);
  return {
    checker: program.getTypeChecker(),
    file(source) {
      const found = program.getSourceFile(pathOf(source));
      if (found === undefined) throw new Error(`There is no declaration of ${source}.`);
      return found;
    },
    isOwn: (node) => made.has(node.getSourceFile().fileName),
  };
}

function readOptions(): ts.CompilerOptions {
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
  return ts.getParsedCommandLineOfConfigFile(CONFIG, {}, host)?.options ?? {};
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join('/'));
}
