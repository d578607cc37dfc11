import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** What is loaded, and how far that is. */
export interface Loaded<T> {
  /** The last that was loaded; stays while it is loaded again, and when that fails. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** Loads it again. */
  readonly reload: () => void;
}

/**
 * Loads what a page shows, and again whenever one of `inputs` changes; an answer that comes after that is dropped.
 * @param load the request, which the signal ends
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly (string | number | boolean | null | undefined)[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const lastRound = useRef(round);
  useEffect(() => {
    const isReload = round !== lastRound.current;
    lastRound.current = round;
    const control = new AbortController();
    setState(({ data }) => ({ data, error: undefined, isLoading: true }));
    latest.current(control.signal).then(
      (data) => {
        if (!control.signal.aborted) setState({ data, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (control.signal.aborted) return;
        setState(({ data }) => ({
          data: isReload ? data : undefined,
          error: errorOf(error),
          isLoading: false,
        }));
      },
    );
    return () => control.abort();
  }, [...inputs, round]);
  return { ...state, reload: useCallback(() => setRound((of) => of + 1), []) };
}

/** Calls something a moment later, once for all who ask for it meanwhile. */
export function useSoon(call: () => void, ms: number): () => void {
  const latest = useRef(call);
  latest.current = call;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, ms);
  }, [ms]);
}

/** A change on its way: of several at once the first is made. */
export interface Change {
  readonly isBusy: boolean;
  readonly error: Error | undefined;
  /** Makes the change; resolves to whether it was made. */
  run(change: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

/** For a form or a button that changes something. */
export function useChange(): Change {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const busy = useRef(false);
  return {
    isBusy,
    error,
    run: async (change) => {
      if (busy.current) return false;
      busy.current = true;
      setBusy(true);
      setError(undefined);
      try {
        await change();
        return true;
      } catch (failure) {
        setError(errorOf(failure));
        return false;
      } finally {
        busy.current = false;
        setBusy(false);
      }
    },
    clear: () => setError(undefined),
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
