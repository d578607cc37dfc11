import { join } from 'node:path';
import ts from 'typescript';

/** Countings of the filters `status` and `text`. */
const COUNTINGS = {
  complete: `{
    status: { countedBy: 'counter' },
    text: { countedBy: 'query', isUsed: ({ text }) => text !== undefined },
  }`,
  withoutText: `{ status: { countedBy: 'counter' } }`,
  withoutUse: `{ status: { countedBy: 'counter' }, text: { countedBy: 'query' } }`,
};

/** The messages of the compiler about each counting; it runs once for all of them, which is most of the time. */
function compile(): Record<keyof typeof COUNTINGS, string[]> {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    target: ts.ScriptTarget.ES2022,
  };
  const sources = new Map(
    Object.entries(COUNTINGS).map(([name, counting]) => [snippet(name), sourceOf(counting)]),
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => sources.has(name) || fileExists(name);
  host.getSourceFile = (name, version) => {
    const source = sources.get(name);
    return source === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, source, version);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  const errorsOf = (name: keyof typeof COUNTINGS): string[] =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(snippet(name)))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  return {
    complete: errorsOf('complete'),
    withoutText: errorsOf('withoutText'),
    withoutUse: errorsOf('withoutUse'),
  };
}

function snippet(name: string): string {
  return join(__dirname, `filter-counting-${name}.ts`);
}

function sourceOf(counting: string): string {
  return `
    import type { FilterCounting } from './filter-counting';
    interface Filter { status: string; text?: string }
    export const COUNTING: FilterCounting<Filter> = ${counting};`;
}

describe('a filter of the organization list', () => {
  let errors: ReturnType<typeof compile>;
  // The compiler takes long on a busy machine.
  beforeAll(() => (errors = compile()), 60_000);

  it('compiles with a counter, or with a query and when that is needed', () => {
    expect(errors.complete).toEqual([]);
  });

  it('does not compile without saying how it is counted', () => {
    expect(errors.withoutText).toEqual([expect.stringContaining("Property 'text' is missing")]);
  });

  it('does not compile with a query that does not say when it is needed', () => {
    expect(errors.withoutUse).toEqual([expect.stringContaining("Property 'isUsed' is missing")]);
  });
});
