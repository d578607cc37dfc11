import {
  type DocumentOptions,
  isAlias,
  isScalar,
  parseDocument,
  type ParseOptions,
  type ScalarTag,
  type SchemaOptions,
  visit,
} from 'yaml';

const MOST_ALIASES = 20;

/**
 * A scalar without quotes that YAML reads as a number, a truth value or a time, as it is written: `1.10` stays that,
 * and does not become `1.1`.
 */
export class Untyped {
  constructor(readonly written: string) {}
}

/** Text, null, `Untyped`, or a list or map of those. */
export type YamlMapping = ReadonlyMap<string, unknown>;

/** What agent servers (YAML 1.1) do not read as text where it has no quotes. */
const UNTYPED = new RegExp(
  `^(?:${[
    'yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF',
    '[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)',
    '[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?|\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?',
    '[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)',
    '\\d{4}-\\d\\d-\\d\\d|\\d{4}-\\d\\d?-\\d\\d?(?:[Tt]|[ \\t]+)\\d\\d?:\\d\\d:\\d\\d(?:\\.\\d*)?(?:[ \\t]*(?:Z|[-+]\\d\\d?(?::\\d\\d)?))?',
  ].join('|')})$`,
);

const TAGS: ScalarTag[] = [
  { tag: '!null', default: true, test: /^(?:~|null|Null|NULL|)$/, resolve: () => null },
  { tag: '!untyped', default: true, test: UNTYPED, resolve: (written) => new Untyped(written) },
  // What agent servers refuse as a value: a default one, and a merge.
  { tag: '!refused', default: true, test: /^(?:=|<<)$/, resolve: (_, refuse) => refuse('is no value') },
];

/** Of mappings with the same key twice, and of merged ones (`<<`), the same counts as for agent servers. */
const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.1',
  schema: 'failsafe',
  uniqueKeys: false,
  customTags: (tags) => [...tags, 'merge', ...TAGS],
  logLevel: 'error',
  prettyErrors: false,
};

/** The parsed mapping, the value that is none, or null when it is not valid. */
type YamlReading = { readonly mapping: YamlMapping } | { readonly other: unknown } | null;

/** An end before the beginning, or a tab in an indentation. */
const REFUSED = /(?<![^])\s*\.\.\.(?:\s|$)|^[ -]*\t/m;

/** Parses YAML as agent servers do, except that scalars stay as they are written. */
export function parseYaml(yaml: string): YamlReading {
  if (REFUSED.test(yaml)) return null;
  try {
    const document = parseDocument(yaml, OPTIONS);
    // Tags that are not known are warnings here, and errors to agent servers.
    if (document.errors.length > 0 || document.warnings.length > 0) return null;
    // What is valid, and refused by agent servers: keys that are no text, and an anchor that is there twice.
    let refused = 0;
    const anchors = new Set<string>();
    visit(document, {
      Pair(_, { key }) {
        if (!isScalar(key) || key.value === null) refused += 1;
      },
      Node(_, node) {
        if (isAlias(node) || node.anchor === undefined) return;
        if (anchors.has(node.anchor)) refused += 1;
        anchors.add(node.anchor);
      },
    });
    if (refused > 0) return null;
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES, mapAsMap: true });
    if (!(value instanceof Map)) return { other: value };
    const mapping = new Map<string, unknown>();
    for (const [key, each] of value) {
      if (typeof key !== 'string') return null;
      mapping.set(key, each);
    }
    return { mapping };
  } catch {
    return null;
  }
}
