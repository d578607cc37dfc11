import ts from 'typescript';
import { type Declarations, declarationsOf } from './declarations';

/** What each entry of the package is made from, and the file in `docs/api` that records what it exports. */
const ENTRIES = [
  { name: 'org-conversation-service', source: 'index', record: 'org-conversation-service.md' },
  { name: 'org-conversation-service/testing', source: 'operations/testing/index', record: 'testing.md' },
] as const;

/**
 * Everything that extensions can import, with its signature, and the types that these refer to.
 * @returns the records, by their file in `docs/api`
 */
export function publicSurface(): Readonly<Record<string, string>> {
  const declarations = ofEntries();
  return Object.fromEntries(
    ENTRIES.map(({ name, source, record }) => [record, recordOf(name, surfaceOf(source, declarations))]),
  );
}

let made: Declarations | undefined;

/** Made once: that takes half a minute. */
function ofEntries(): Declarations {
  return (made ??= declarationsOf(ENTRIES.map(({ source }) => source)));
}

/** What of the package's exports has no comment that says what it is. */
export function undocumentedExports(): string[] {
  const declarations = ofEntries();
  return ENTRIES.flatMap(({ source }) => declarations.undocumented(source));
}

/** Recorded by its fields, since the schema that it is inferred from says nothing of their types. */
const SETTINGS = 'Settings';

interface Surface {
  readonly exported: readonly string[];
  readonly referred: readonly string[];
}

function recordOf(name: string, { exported, referred }: Surface): string {
  const code = (declared: readonly string[]): string => `\`\`\`ts\n${declared.join('\n\n')}\n\`\`\``;
  return [
    `# \`${name}\``,
    'What it exports. Written from the code by `npm run api`; what a change of it means is in [Versions](../extending.md#versions).',
    code(exported),
    ...(referred.length === 0
      ? []
      : ['## What these refer to', 'Not exported by name, and part of them all the same.', code(referred)]),
  ]
    .join('\n\n')
    .concat('\n');
}

function surfaceOf(source: string, declarations: Declarations): Surface {
  const { checker } = declarations;
  const module = checker.getSymbolAtLocation(declarations.file(source));
  if (module === undefined) throw new Error(`${source} exports nothing.`);
  const exported = checker.getExportsOfModule(module).map((symbol) => target(symbol, checker));
  const known = new Set(exported);
  const referred: ts.Symbol[] = [];
  // Grows while it is walked.
  const queue = [...exported];
  for (const symbol of queue)
    for (const found of partsOf(symbol).flatMap((node) => referencesOf(node, declarations)))
      if (!known.has(found)) {
        known.add(found);
        referred.push(found);
        queue.push(found);
      }
  return { exported: declared(exported, checker), referred: declared(referred, checker) };
}

/** Whether it is declared in the package, for a whole file. */
function isOfModule(symbol: ts.Symbol, isOwn: Declarations['isOwn']): boolean {
  return statementsOf(symbol).some((node) => isOwn(node) && ts.isSourceFile(node.parent));
}

function target(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Their statements, by name. */
function declared(symbols: readonly ts.Symbol[], checker: ts.TypeChecker): string[] {
  return [...symbols]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((symbol) =>
      symbol.name === SETTINGS ? fieldsOf(symbol, checker) : statementsOf(symbol).map(textOf),
    );
}

function fieldsOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const fields = checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .map((field) => {
      const type = checker.getTypeOfSymbol(field);
      const optional = field.flags & ts.SymbolFlags.Optional ? '?' : '';
      return `  readonly ${field.name}${optional}: ${checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)};`;
    });
  return [`interface ${symbol.name} {`, ...fields.sort(), '}'].join('\n');
}

function statementsOf({ declarations = [] }: ts.Symbol): ts.Node[] {
  return declarations.map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node));
}

/** What of a declaration others can use. */
function partsOf(symbol: ts.Symbol): ts.Node[] {
  if (symbol.name === SETTINGS) return [];
  return statementsOf(symbol).flatMap((node) => {
    if (!ts.isClassDeclaration(node)) return [node];
    const rest = [...(node.heritageClauses ?? []), ...(node.typeParameters ?? [])];
    return [...rest, ...node.members.filter((member) => !isHidden(member))];
  });
}

/** Private members; and constructors but for those of errors, since it is Nest that makes all others. */
function isHidden(member: ts.ClassElement): boolean {
  if (ts.isConstructorDeclaration(member))
    return !member.parent.heritageClauses?.some((clause) => clause.getText().endsWith('Error'));
  const isPrivate = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
  return isPrivate || (member.name !== undefined && ts.isPrivateIdentifier(member.name));
}

function textOf(node: ts.Node): string {
  const hidden = ts.isClassDeclaration(node) ? node.members.filter(isHidden) : [];
  const start = node.getStart();
  let text = node.getText();
  for (const member of [...hidden].reverse())
    text = text.slice(0, member.getFullStart() - start) + text.slice(member.getEnd() - start);
  const indented = text.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 2));
  return indented.replace(/^(export )?(declare )?/, '');
}

/** The declarations of the package that a node names. */
function referencesOf(node: ts.Node, { checker, isOwn }: Declarations): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isIdentifier(part)) {
      const named = checker.getSymbolAtLocation(part);
      const symbol = named && target(named, checker);
      if (symbol !== undefined && isOfModule(symbol, isOwn)) found.push(symbol);
    }
    ts.forEachChild(part, visit);
  };
  visit(node);
  return found;
}
