import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, type Schemas } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { Field } from '../../parts/field';
import { useChange } from '../../parts/load';
import { Buttons, Modal } from '../../parts/modal';
import { Failure } from '../../parts/states';
import { count, say, texts } from '../../text';
import { oneOf } from './list-state';

const words = texts.conversations.queue;

type Block = Schemas['PendingMessageUpdate']['content'][number];

const MODES = ['steer', 'after_run'] as const satisfies Schemas['QueuedMessage']['mode'][];

/** Edits the texts of a queued message, and how it goes to an agent that runs; its images stay. */
export function EditMessage(props: {
  conversationId: string;
  message: Schemas['QueuedMessage'];
  onSaved: () => void;
  onClose: () => void;
}): JSX.Element {
  const { conversationId, message, onSaved, onClose } = props;
  const { header } = useOrganization();
  const change = useChange();
  const [blocks, setBlocks] = useState(() => blocksOf(message.content));
  const lost = (Array.isArray(message.content) ? message.content.length : 0) - blocks.length;
  const [mode, setMode] = useState(message.mode);
  const written = blocks.filter((block) => 'text' in block);
  const images = blocks.length - written.length;
  const save = async (): Promise<void> => {
    const isDone = await change.run(() =>
      bodyOf(
        api.PATCH('/api/v1/conversations/{conversation_id}/pending-messages/{message_id}', {
          params: { path: { conversation_id: conversationId, message_id: message.id }, header },
          body: { content: [...blocks], mode },
        }),
      ),
    );
    if (!isDone) return;
    announce(words.saved);
    onSaved();
    onClose();
  };
  return (
    <Modal title={words.editTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {written.map((block, index) => (
          <Field
            key={index}
            label={written.length === 1 ? words.text : say(words.textOf, { number: index + 1 })}
          >
            <textarea
              required
              rows={6}
              dir="auto"
              value={block.text}
              onInput={({ currentTarget: { value } }) =>
                setBlocks(blocks.map((one) => (one === block ? { ...block, text: value } : one)))
              }
            />
          </Field>
        ))}
        {images > 0 && <p>{count(images, words.images)}</p>}
        {lost > 0 && <p>{count(lost, words.lost)}</p>}
        <Field label={words.mode}>
          <select
            value={mode}
            onChange={({ currentTarget: { value } }) => setMode(oneOf(MODES, value) ?? mode)}
          >
            {MODES.map((one) => (
              <option key={one} value={one}>
                {words.modes[one]}
              </option>
            ))}
          </select>
        </Field>
        {change.error !== undefined && <Failure error={change.error} />}
        <Buttons change={change} label={words.save} onCancel={onClose} />
      </form>
    </Modal>
  );
}

/** The blocks of a message, which are stored as they came: those that this can send back. */
function blocksOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

function isBlock(block: unknown): block is Block {
  if (typeof block !== 'object' || block === null) return false;
  return 'text' in block || 'image_urls' in block;
}
