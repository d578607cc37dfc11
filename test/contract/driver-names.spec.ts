import * as ts from 'typescript';
import { SANDBOX_DRIVERS } from '../../src/kernel/config';
import { type SourceFile, sourceFiles } from '../support/source-files';

/** The settings are checked before there are drivers to ask. */
const EXEMPT = ['kernel/config/settings.ts', 'drivers/agent-server-program.ts', 'drivers/isolation.ts'];

const COMPARISONS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];

/** The names of drivers that a file compares something with, or has as keys of a table. */
function namesAskedIn({ path, text }: SourceFile): string[] {
  const asked: string[] = [];
  const ask = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isIdentifier(node);
    if (isText && SANDBOX_DRIVERS.includes(node.text)) asked.push(`${path}: ${node.text}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && COMPARISONS.includes(node.operatorToken.kind))
      [node.left, node.right].filter(ts.isStringLiteralLike).forEach(ask);
    if (ts.isCaseClause(node)) ask(node.expression);
    if (ts.isPropertyAssignment(node)) ask(node.name);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return asked;
}

describe('a sandbox driver', () => {
  it('is asked for its capabilities, never for its name', () => {
    const files = sourceFiles().filter(({ path }) => !EXEMPT.includes(path));
    expect(files.flatMap(namesAskedIn)).toEqual([]);
  });

  it.each([
    `driver === 'process'`,
    `'process' !== driver`,
    `switch (driver) { case 'process': run(); }`,
    `const notes = { process: 'a note' };`,
    `const notes = { 'process': 'a note' };`,
  ])('is found to be asked for its name by %s', (text) => {
    expect(namesAskedIn({ path: 'sample.ts', module: '', text })).toEqual(['sample.ts: process']);
  });
});
