import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../text';
import { focusOrHeading, useKeptFocus } from './focus';
import { type Values, valuesOf } from './form';
import { type Change, useChange } from './load';
import { Failure } from './states';

/**
 * A modal dialog: the browser keeps the focus within; afterwards it is where it was before. Where something was filled in, it asks
 * before Escape or its button closes it.
 */
export function Modal(props: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const filled = useRef<Node | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const stay = (): void => setLeaving(false);
  useKeptFocus(dialog);
  const leave = (): void => {
    // A field that is gone was of a form that has been sent.
    if (filled.current?.isConnected === true) setLeaving(true);
    else props.onClose();
  };
  useLayoutEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    // A dialog that is taken away, instead of closed, does not give it back; one that is closed cannot, where that is gone.
    return () => {
      opened?.close();
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusOrHeading(before);
      });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onInput={({ target }) => (filled.current = target instanceof Node ? target : null)}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        // Browsers close one that has kept itself open before, whatever it wants.
        if (filled.current?.isConnected === true) currentTarget.showModal();
        leave();
      }}
    >
      <article>
        <header>
          <button type="button" aria-label={texts.dialog.close} class="close" onClick={leave} />
          <h2 id={id} tabIndex={-1} dir="auto">
            {props.title}
          </h2>
        </header>
        {props.children}
      </article>
      {isLeaving && (
        <Modal title={texts.dialog.leaveTitle} onClose={stay}>
          <p>{texts.dialog.leaveText}</p>
          <footer class="buttons">
            <button type="button" class="secondary outline" onClick={stay}>
              {texts.dialog.stay}
            </button>
            <button type="button" onClick={props.onClose}>
              {texts.dialog.leave}
            </button>
          </footer>
        </Modal>
      )}
    </dialog>
  );
}

/** Asks before something is done that cannot be taken back. Closes when it has been done; else says why it has not. */
export function Confirm(
  props: {
    title: string;
    onClose: () => void;
  } & Pick<Parameters<typeof DialogForm>[0], 'children' | 'label' | 'action'>,
): JSX.Element {
  const { title, onClose, ...form } = props;
  return (
    <Modal title={title} onClose={onClose}>
      <DialogForm {...form} onDone={onClose} onCancel={onClose} />
    </Modal>
  );
}

/** A form in a dialog: says why it was refused, and keeps what was typed. */
export function DialogForm(props: {
  /** What will happen, and the fields: with {@link Field} as a function of why the form was refused. */
  children: ComponentChildren | ((error: Error | undefined) => ComponentChildren);
  /** The name of the button that does it. */
  label: string;
  /** @param value of a field, without spaces around it; empty where there is none @param form all of them */
  action: (value: Values, form: FormData) => Promise<unknown>;
  onDone?: () => void;
  onCancel: () => void;
  /** The name of the button that does not, where that is another one. */
  cancel?: string;
}): JSX.Element {
  const { children, action, onDone } = props;
  const change = useChange();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        void change.run(() => action(valuesOf(form), form)).then((isDone) => isDone && onDone?.());
      }}
    >
      {typeof children === 'function' ? children(change.error) : children}
      {change.error !== undefined && <Failure error={change.error} />}
      <Buttons change={change} label={props.label} onCancel={props.onCancel} cancel={props.cancel} />
    </form>
  );
}

/** The buttons at the end of a form in a dialog. */
export function Buttons(props: {
  change: Change;
  label: string;
  onCancel?: () => void;
  cancel?: string | undefined;
}): JSX.Element {
  return (
    <footer class="buttons">
      {props.onCancel !== undefined && (
        <button type="button" class="secondary outline" onClick={props.onCancel}>
          {props.cancel ?? texts.dialog.cancel}
        </button>
      )}
      <button type="submit" aria-busy={props.change.isBusy}>
        {props.label}
      </button>
    </footer>
  );
}
