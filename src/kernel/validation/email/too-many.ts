/** `3 characters too many` */
export function tooMany(count: number): string {
  return `${count} character${count === 1 ? '' : 's'} too many`;
}
