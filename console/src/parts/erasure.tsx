import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { number, texts } from '../text';
import { useLoad } from './load';
import { Facts } from './show';
import { Failure } from './states';

export type Erasure = Schemas['ErasureResponse'];

const words = texts.erasure;

const NAMES: Readonly<Record<string, string>> = words.kinds;

/** How often it is looked how an erasure stands. */
const LOOK_MS = 2_000;

/** What an erasure would take along. */
export function ErasureCounts({ of: { counts } }: { of: Erasure }): JSX.Element {
  const some = Object.entries(counts).filter(([, items]) => items > 0);
  return (
    <>
      <h3>{words.counts}</h3>
      {some.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <Facts of={Object.fromEntries(some.map(([kind, items]) => [NAMES[kind] ?? kind, number(items)]))} />
      )}
    </>
  );
}

/**
 * How an erasure stands, until it is done.
 * @param props.load asks for it
 */
export function ErasureProgress(props: {
  first: Erasure;
  load: (signal: AbortSignal) => Promise<Erasure>;
}): JSX.Element {
  const { first, load } = props;
  const loaded = useLoad(load, [first.user_id]);
  const { state } = loaded.data ?? first;
  const { isLoading, reload } = loaded;
  useEffect(() => {
    if (state !== 'working' || isLoading) return undefined;
    const timer = setTimeout(reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [state, isLoading]);
  return (
    <>
      <p role="status">
        {state === 'waiting' ? words.waiting : state === 'done' ? words.done : words.working}
      </p>
      {loaded.error !== undefined && <Failure error={loaded.error} />}
    </>
  );
}
