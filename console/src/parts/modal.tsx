import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { texts } from '../text';
import { type Change, useChange } from './load';
import { Failure } from './states';

/** A modal dialog: the browser keeps the focus within, and gives it back afterwards. */
export function Modal(props: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // Only a dialog that is closed gives the focus back; one that is taken away has to be helped.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={props.onClose}>
      <article>
        <header>
          <button
            type="button"
            aria-label={texts.dialog.close}
            class="close"
            onClick={() => dialog.current?.close()}
          />
          <h2 id={id}>{props.title}</h2>
        </header>
        {props.children}
      </article>
    </dialog>
  );
}

/** Asks before something is done that cannot be taken back. Closes when it has been done; else says why it has not. */
export function Confirm(props: {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  /** The name of the button that does it. */
  label: string;
  action: () => Promise<unknown>;
  onClose: () => void;
}): JSX.Element {
  const change = useChange();
  return (
    <Modal title={props.title} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change.run(props.action).then((isDone) => isDone && props.onClose());
        }}
      >
        {props.children}
        {change.error !== undefined && <Failure error={change.error} />}
        <Buttons change={change} label={props.label} onCancel={props.onClose} />
      </form>
    </Modal>
  );
}

/** The buttons at the end of a form in a dialog. */
export function Buttons(props: { change: Change; label: string; onCancel?: () => void }): JSX.Element {
  return (
    <footer class="buttons">
      {props.onCancel !== undefined && (
        <button type="button" class="secondary outline" onClick={props.onCancel}>
          {texts.dialog.cancel}
        </button>
      )}
      <button type="submit" aria-busy={props.change.isBusy}>
        {props.label}
      </button>
    </footer>
  );
}
