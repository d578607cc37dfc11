const MAX_NAME = 100;

/** A name on one line and of readable length: users choose it freely, and subjects contain it. */
export function plainName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= MAX_NAME ? line : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}
