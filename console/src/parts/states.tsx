import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { ApiError, OfflineError } from '../api/api-error';
import { say, texts } from '../text';
import { useKeptFocus } from './focus';
import type { Loaded } from './load';

/**
 * Says that something is on its way.
 * @param props.isQuiet whether another part of the page tells people who do not see it
 */
export function Loading({ isQuiet = false }: { isQuiet?: boolean }): JSX.Element {
  return (
    <p aria-busy="true" role={isQuiet ? undefined : 'status'}>
      {texts.states.loading}
    </p>
  );
}

/** Says why something did not work: the service's sentence, and the id by which its operator finds it. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }): JSX.Element {
  const sentence = error instanceof OfflineError ? texts.states.offline : error.message;
  return (
    <div class="failure" role="alert">
      <strong>{texts.states.failed}</strong>
      <p dir="auto">{sentence}</p>
      {error instanceof ApiError && error.requestId !== null && (
        <p>
          <small>{say(texts.states.requestId, { id: error.requestId })}</small>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" class="secondary outline" onClick={retry}>
          {texts.states.retry}
        </button>
      )}
    </div>
  );
}

/** What is shown in place of a list without items. */
export function Empty({ children }: { children?: ComponentChildren }): JSX.Element {
  return <p class="empty">{children ?? texts.states.empty}</p>;
}

/** What was loaded, or the state it is in: loading at first, or failed. What was there before a failure stays below it. */
export function Shown<T>(props: {
  of: Loaded<T>;
  /** As of {@link Loading}. */
  isQuiet?: boolean;
  children: (data: T) => ComponentChildren;
}): JSX.Element {
  const { data, error, isLoading, reload } = props.of;
  const failure = error !== undefined && <Failure error={error} retry={reload} />;
  if (data === undefined) return failure || <Loading isQuiet={props.isQuiet === true} />;
  return (
    <Content {...{ isLoading }}>
      {failure}
      {props.children(data)}
    </Content>
  );
}

function Content(props: { isLoading: boolean; children: ComponentChildren }): JSX.Element {
  const content = useRef<HTMLDivElement>(null);
  useKeptFocus(content);
  return (
    <div ref={content} class="shown" aria-busy={props.isLoading}>
      {props.children}
    </div>
  );
}
