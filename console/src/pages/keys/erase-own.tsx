import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf, CONSOLE } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { type Erasure, ErasureCounts } from '../../parts/erasure';
import { Field } from '../../parts/field';
import { DialogForm, Modal } from '../../parts/modal';
import { TextList } from '../../parts/show';
import { texts } from '../../text';

const words = texts.erasure;

/** Erases the person, once they have entered their address and seen what goes. */
export function EraseOwn(props: { onWaiting: () => void; onClose: () => void }): JSX.Element {
  const { header } = useOrganization();
  const [confirmation, setConfirmation] = useState('');
  const [erasure, setErasure] = useState<Erasure>();
  const ask = async (
    typed: string,
    query: { dry_run?: boolean; when?: 'now' | 'lifted' },
  ): Promise<Erasure> => {
    const body = { confirmation: typed };
    const asked = await bodyOf(api.POST('/api/users/me/erasure', { params: { header, query }, body }));
    setErasure(asked);
    return asked;
  };
  // With their session it is over: the service leads to its sign-in.
  const close = erasure?.state === 'working' ? () => location.assign(CONSOLE) : props.onClose;
  return (
    <Modal title={words.ownTitle} onClose={close}>
      {erasure === undefined ? (
        <DialogForm
          key="address"
          label={words.see}
          action={async (value) => {
            setConfirmation(value('confirmation'));
            await ask(value('confirmation'), { dry_run: true });
          }}
          onCancel={close}
        >
          {(error: Error | undefined) => (
            <>
              <p>{words.ownText}</p>
              <Field label={words.confirmOwn} error={error} field="body.confirmation">
                <input
                  name="confirmation"
                  required
                  maxLength={320}
                  defaultValue={confirmation}
                  autocomplete="off"
                  spellcheck={false}
                />
              </Field>
            </>
          )}
        </DialogForm>
      ) : erasure.state === 'preview' ? (
        <Preview
          erasure={erasure}
          erase={async (when) => {
            const { state } = await ask(confirmation, { when });
            if (state === 'waiting') props.onWaiting();
          }}
          onClose={close}
        />
      ) : (
        <p role="status">{erasure.state === 'waiting' ? words.waiting : words.ownWorking}</p>
      )}
    </Modal>
  );
}

function Preview(props: {
  erasure: Erasure;
  erase: (when: 'now' | 'lifted') => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { erasure, erase, onClose } = props;
  const { obstacle } = erasure;
  const about = (
    <>
      <TextList of={words.aboutOwn} />
      <p>{erasure.of_account ? words.ofOwnAccount : words.notOfOwnAccount}</p>
      <ErasureCounts of={erasure} />
      {obstacle !== null && (
        <p>
          <strong>{words.ownObstacles[obstacle]}</strong>
        </p>
      )}
    </>
  );
  if (obstacle === 'last_owner') return about;
  return (
    <DialogForm
      key="preview"
      label={obstacle === 'legal_hold' ? words.whenLifted : words.button}
      action={() => erase(obstacle === 'legal_hold' ? 'lifted' : 'now')}
      onCancel={onClose}
    >
      {about}
    </DialogForm>
  );
}
