/**
 * Waits for work, but no longer than a time, or until a signal is aborted; the work goes on.
 * @returns whether it has settled, even if with an error
 */
export async function settledWithin(
  work: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  let leave = (): void => undefined;
  const left = new Promise<boolean>((resolve) => (leave = () => resolve(false)));
  const timer = setTimeout(leave, ms);
  signal?.addEventListener('abort', leave);
  if (signal?.aborted === true) leave();
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, left]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
