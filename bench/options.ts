import { parseArgs } from 'node:util';

/**
 * The numeric options of a measurement, such as `--seconds 3`.
 * @param defaults all options with their default values
 * @throws Error for an option that is unknown or no positive number
 */
export function options<Name extends string>(defaults: Readonly<Record<Name, number>>): Record<Name, number> {
  const names = Object.keys(defaults);
  const { values } = parseArgs({
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
  });
  const given = { ...defaults };
  for (const [name, text] of Object.entries(values)) {
    const number = Number(text);
    if (!(number > 0)) throw new Error(`--${name} takes a positive number.`);
    Object.assign(given, { [name]: number });
  }
  return given;
}
