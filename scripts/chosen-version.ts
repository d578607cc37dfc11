/**
 * The version of a program that tests run: what a variable of the environment names, the newest without.
 * @param versions those that are known to work, the newest last
 * @throws Error with a message to print
 */
export function chosenVersion(
  variable: string,
  versions: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): string {
  const wanted = environment[variable];
  if (wanted === undefined || wanted === '') return versions.at(-1) ?? versions[0];
  if (versions.includes(wanted)) return wanted;
  throw new Error(`${variable} is ${wanted}; known are ${versions.join(' and ')}.`);
}
