import { join } from 'node:path';
import ts from 'typescript';

const SNIPPET = join(__dirname, 'filter-counting-snippet.ts');

/** The messages of the compiler about a counting of the filters `status` and `text`. */
function faultsOf(counting: string): string[] {
  const source = `
    import type { FilterCounting } from './filter-counting';
    interface Filter { status: string; text?: string }
    export const COUNTING: FilterCounting<Filter> = ${counting};`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === SNIPPET || fileExists(name);
  host.getSourceFile = (name, version) =>
    name === SNIPPET ? ts.createSourceFile(name, source, version) : getSourceFile(name, version);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([SNIPPET], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('a filter of the organization list', () => {
  it('compiles with a counter, or with a query and when that is needed', () => {
    expect(
      faultsOf(`{
        status: { countedBy: 'counter' },
        text: { countedBy: 'query', isUsed: ({ text }) => text !== undefined },
      }`),
    ).toEqual([]);
  });

  it('does not compile without saying how it is counted', () => {
    expect(faultsOf(`{ status: { countedBy: 'counter' } }`)).toEqual([
      expect.stringContaining("Property 'text' is missing"),
    ]);
  });

  it('does not compile with a query that nobody knows when to run', () => {
    expect(faultsOf(`{ status: { countedBy: 'counter' }, text: { countedBy: 'query' } }`)).toEqual([
      expect.stringContaining("Property 'isUsed' is missing"),
    ]);
  });
});
