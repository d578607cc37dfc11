import { Untyped, type YamlMapping } from './front-matter/yaml-mapping';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isMap: Check = (value) => value instanceof Map;
const isTextOrList: Check = (value) => isText(value) || Array.isArray(value);
const isTruthValue: Check = (value) =>
  (isText(value) && /^(?:true|false|t|f|yes|no|y|n|on|off|0|1)$/i.test(String(value))) ||
  (value instanceof Untyped && /^(?:true|false|yes|no|on|off|[01](?:\.0*)?)$/i.test(value.written));
const isListOfInputs: Check = (value) =>
  Array.isArray(value) &&
  value.every(
    (input) => input instanceof Map && isText(input.get('name')) && isText(input.get('description')),
  );

/** What agent servers demand of values that are there; null counts as none. */
const CHECKS: readonly (readonly [string, Check])[] = [
  ['description', isText],
  ['license', isText],
  ['compatibility', isText],
  ['metadata', isMap],
  ['allowed-tools', isTextOrList],
  ['allowed_tools', isTextOrList],
  ['disable-model-invocation', isTruthValue],
  ['disable_model_invocation', isTruthValue],
  ['paths', isTextOrList],
  ['mcp_tools', isMap],
];
/** Names that agent servers use for something else. */
const RESERVED = ['content', 'handler', 'self'];

/** Why agent servers leave out a skill whose front matter can be parsed, apart from its name and its triggers. */
export function* refusals(
  values: YamlMapping,
  { isFolder }: { readonly isFolder: boolean },
): Iterable<string> {
  for (const [key, accepts] of CHECKS) {
    const value = values.get(key) ?? null;
    const isUnused =
      (key === 'mcp_tools' && isFolder) || (key.includes('_') && values.has(key.replaceAll('_', '-')));
    if (value !== null && !isUnused && !accepts(value))
      yield `has a value of "${key}" that agent servers refuse`;
  }
  for (const key of RESERVED) if (values.has(key)) yield `has a key "${key}", which agent servers refuse`;
  if (values.has('inputs') && !hasPaths(values) && !isListOfInputs(values.get('inputs')))
    yield 'has a value of "inputs" that agent servers refuse';
}

/** Whether files bring the skill up, and neither triggers nor inputs count. */
export function hasPaths(values: YamlMapping): boolean {
  const paths = values.get('paths') ?? [];
  const list: readonly unknown[] = typeof paths === 'string' ? paths.split(',') : [paths].flat();
  return list.some((path) => typeof path !== 'string' || path.trim() !== '');
}
