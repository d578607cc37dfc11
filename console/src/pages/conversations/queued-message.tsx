import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { When } from '../../parts/show';
import { count, texts } from '../../text';
import { textOfBlocks } from './event-text';
import { LongText } from './long-text';

const words = texts.conversations.queue;

/** One place up, or one down. */
export type Step = -1 | 1;

/** A message of the queue; what is not queued any more cannot be changed. */
export function QueuedMessage(props: {
  message: Schemas['QueuedMessage'];
  canMoveUp: boolean;
  canMoveDown: boolean;
  onMove: (step: Step) => void;
  onAsk: (to: 'edit' | 'cancel') => void;
}): JSX.Element {
  const { message, onMove, onAsk } = props;
  const { state, mode, attempts, last_error } = message;
  return (
    <li class="event" data-message={message.id}>
      <p class="event-head">
        <strong>{words.states[state]}</strong> <span>{words.modes[mode]}</span>{' '}
        <small>
          <When at={message.created_at} />
        </small>
      </p>
      <LongText text={textOfBlocks(message.content)} length={500} />
      {attempts > 0 && <p>{count(attempts, words.attempts)}</p>}
      {last_error !== null && (
        <p class="problem" dir="auto">
          {last_error}
        </p>
      )}
      {state === 'queued' && (
        <div class="buttons start">
          <button type="button" class="secondary outline small" onClick={() => onAsk('edit')}>
            {words.edit}
          </button>
          <MoveButton step={-1} isPossible={props.canMoveUp} onMove={onMove} />
          <MoveButton step={1} isPossible={props.canMoveDown} onMove={onMove} />
          <button type="button" class="secondary outline small" onClick={() => onAsk('cancel')}>
            {words.cancel}
          </button>
        </div>
      )}
    </li>
  );
}

function MoveButton(props: { step: Step; isPossible: boolean; onMove: (step: Step) => void }): JSX.Element {
  const { step, isPossible, onMove } = props;
  return (
    <button
      type="button"
      class="secondary outline small"
      data-step={step}
      disabled={!isPossible}
      onClick={() => onMove(step)}
    >
      {step < 0 ? words.up : words.down}
    </button>
  );
}
