import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { HoldForm } from '../../parts/hold-form';
import { texts } from '../../text';

/** Has a conversation be kept until the hold is lifted. */
export function Hold({ id }: { id: string }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <div class="buttons start">
      <button type="button" class="secondary outline" onClick={() => setAsking(true)}>
        {texts.holds.holdConversation}
      </button>
      {isAsking && <HoldForm conversationId={id} onHeld={() => undefined} onClose={() => setAsking(false)} />}
    </div>
  );
}
