import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const CONFIG = join(ROOT, 'tsconfig.types.json');

/** The declarations of the package as it is packed, in memory. */
export interface Declarations {
  readonly checker: ts.TypeChecker;
  /** @param source a file of `src`, from there and without its extension */
  file(source: string): ts.SourceFile;
  /** What a source file exports without a comment that says what it is. */
  undocumented(source: string): string[];
  /** Whether a node is declared in the package, not in a library. */
  isOwn(node: ts.Node): boolean;
}

/** Makes the declarations of source files and all that these import. @param sources as of {@link Declarations.file} */
export function declarationsOf(sources: readonly string[]): Declarations {
  const options = readOptions();
  const { outDir = '' } = options;
  const sourceOf = (path: string): string =>
    `${join(ROOT, 'src', relative(outDir, path)).slice(0, -'.d.ts'.length)}.ts`;
  const isMade = (path: string): boolean => path.startsWith(outDir) && path.endsWith('.d.ts');
  const from = ts.createProgram(
    sources.map((source) => join(ROOT, 'src', `${source}.ts`)),
    {
      ...options,
      removeComments: true,
    },
  );

  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, directoryExists } = host;
  host.fileExists = (path) => fileExists(isMade(path) ? sourceOf(path) : path);
  host.directoryExists = (path) => path.startsWith(outDir) || (directoryExists?.(path) ?? true);
  // Only those that another one refers to: to declare all that the service is would take the types of all its code.
  host.getSourceFile = (path, target, ...rest) => {
    if (!isMade(path)) return getSourceFile(path, target, ...rest);
    let declared = '';
    from.emit(from.getSourceFile(sourceOf(path)), (_, text) => (declared = text), undefined, true);
    return ts.createSourceFile(path, declared, target, true);
  };
  const ofSources = from.getTypeChecker();
  const pathOf = (source: string): string => join(outDir, `${source}.d.ts`);
  const program = ts.createProgram(sources.map(pathOf), { ...options, noEmit: true }, host);
  return {
    checker: program.getTypeChecker(),
    file(source) {
      const found = program.getSourceFile(pathOf(source));
      if (found === undefined) throw new Error(`There is no declaration of ${source}.`);
      return found;
    },
    undocumented(source) {
      const file = from.getSourceFile(join(ROOT, 'src', `${source}.ts`));
      const module = file && ofSources.getSymbolAtLocation(file);
      const exported = module === undefined ? [] : ofSources.getExportsOfModule(module);
      return exported
        .filter((symbol) => {
          const named = symbol.flags & ts.SymbolFlags.Alias ? ofSources.getAliasedSymbol(symbol) : symbol;
          return named.getDocumentationComment(ofSources).length === 0;
        })
        .map(({ name }) => name);
    },
    isOwn: (node) => isMade(node.getSourceFile().fileName),
  };
}

function readOptions(): ts.CompilerOptions {
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
  return ts.getParsedCommandLineOfConfigFile(CONFIG, {}, host)?.options ?? {};
}
