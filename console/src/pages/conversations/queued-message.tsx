import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { When } from '../../parts/show';
import { RowAction, RowActions } from '../../parts/table';
import { count, cut, texts } from '../../text';
import { textOfBlocks } from './event-text';
import { LongText } from './long-text';

const words = texts.conversations.queue;

/** One place up, or one down. */
export type Step = -1 | 1;

/** A message of the queue; what is not queued any more cannot be changed. */
export function QueuedMessage(props: {
  message: Schemas['QueuedMessage'];
  /** Whether it can be moved at all. */
  canMove: boolean;
  canMoveUp: boolean;
  canMoveDown: boolean;
  onMove: (step: Step) => void;
  onAsk: (to: 'edit' | 'cancel') => void;
}): JSX.Element {
  const { message, onMove, onAsk } = props;
  const { state, mode, attempts, last_error } = message;
  const text = textOfBlocks(message.content);
  const of = cut(text, 60);
  return (
    <li class="event" data-message={message.id}>
      <p class="event-head">
        <strong>{words.states[state]}</strong> <span>{words.modes[mode]}</span>{' '}
        <small>
          <When at={message.created_at} />
        </small>
      </p>
      <LongText text={text} length={500} />
      {attempts > 0 && <p>{count(attempts, words.attempts)}</p>}
      {last_error !== null && (
        <p class="problem" dir="auto">
          {last_error}
        </p>
      )}
      {state === 'queued' && (
        <RowActions>
          <RowAction label={words.edit} of={of} onClick={() => onAsk('edit')} />
          {props.canMove && (
            <>
              <RowAction
                label={words.up}
                of={of}
                data-step={-1}
                disabled={!props.canMoveUp}
                onClick={() => onMove(-1)}
              />
              <RowAction
                label={words.down}
                of={of}
                data-step={1}
                disabled={!props.canMoveDown}
                onClick={() => onMove(1)}
              />
            </>
          )}
          <RowAction label={words.cancel} of={of} onClick={() => onAsk('cancel')} />
        </RowActions>
      )}
    </li>
  );
}
