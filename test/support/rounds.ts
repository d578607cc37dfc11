/** Whether tests are to be as thorough as on a machine that does nothing else: `.ci/long` asks for it. */
export const isLong = process.env.LONG === 'yes';

/**
 * How often something random is done.
 * @param long how often where `LONG=yes` asks for it
 * @param short how often otherwise
 */
export function rounds(long: number, short: number): number {
  return isLong ? long : short;
}
