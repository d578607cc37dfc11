/**
 * A plugin of Swagger UI: resolves the references of an operation when it is opened. Its own resolver reads the whole
 * document for each, a second or more; here all references are local, and none leads back to itself. It runs in the
 * browser, from its source text: it uses nothing of this file.
 */
export function localReferences(): object {
  type Json = Readonly<Record<string, unknown>>;
  const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
  const inside = (value: unknown, names: readonly string[]): unknown =>
    names.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);

  const resolved = (value: unknown, document: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(item, document));
    if (!isObject(value)) return value;
    const { $ref: reference, ...beside } = value;
    if (typeof reference !== 'string')
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, resolved(item, document)]),
      );
    const target = resolved(inside(document, reference.slice(2).split('/')), document);
    // Swagger UI calls the schema by the last part of `$$ref`.
    return isObject(target) ? { ...target, ...beside, $$ref: reference } : target;
  };

  return {
    fn: {
      resolveSubtree: (document: unknown, path: readonly string[]) =>
        Promise.resolve({ errors: [], spec: resolved(inside(document, path), document) }),
    },
  };
}
