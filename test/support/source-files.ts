import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as ts from 'typescript';

const SRC = join(__dirname, '..', '..', 'src');

/** A source file of the service. */
export interface SourceFile {
  /** Below `src`, with slashes. */
  readonly path: string;
  /** The module it belongs to, by its folder below an area, or the area itself; empty for the files of `src` itself. */
  readonly module: string;
  readonly text: string;
}

/** Every TypeScript file of `src`, without its unit tests. */
export function sourceFiles(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .sort()
    .map((path) => ({
      path,
      module: moduleAt(path),
      text: readFileSync(join(SRC, path), 'utf8'),
    }));
}

/** The texts a file writes down: strings, and templates with `…` in place of what they insert. */
export function textsOf(file: SourceFile): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push(
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…'),
      );
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest));
  return texts;
}

/** A name that a file imports. */
export interface ImportedName {
  readonly name: string;
  /** The module it comes from; the file's own for a relative path within it, and null for a package. */
  readonly module: string | null;
}

/** The names a file imports one by one. */
export function importedNames(file: SourceFile): ImportedName[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return [];
    const module = moduleOf(file.path, statement.moduleSpecifier.text);
    return bindings.elements.map(({ name, propertyName }) => ({ name: (propertyName ?? name).text, module }));
  });
}

function moduleOf(importer: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  return moduleAt(posix.join(posix.dirname(importer), specifier));
}

/** The module that a path below `src` belongs to. */
export function moduleAt(path: string): string {
  const [area = '', module] = path.split('/');
  if (module === undefined) return '';
  return area === 'drivers' ? area : module;
}
