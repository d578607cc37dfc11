import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { Field } from '../../parts/field';
import { type Key, keyName } from '../../parts/key-columns';
import { DialogForm, Modal } from '../../parts/modal';
import { Secret } from '../../parts/show';
import { say, texts } from '../../text';

/** For how long the old key may still work, in seconds. */
const GRACE = [
  { seconds: 0, name: texts.keys.graceNone },
  { seconds: 3_600, name: texts.keys.graceHour },
  { seconds: 86_400, name: texts.keys.graceDay },
  { seconds: 604_800, name: texts.keys.graceWeek },
];

/**
 * Makes a key in place of one, and shows it once.
 * @param props.isOwn whether the person is signed in with it
 */
export function RotateKey(props: {
  rotated: Key;
  isOwn: boolean;
  onRotated: () => void;
  onClose: () => void;
}): JSX.Element {
  const { rotated, isOwn, onRotated, onClose } = props;
  const { header } = useOrganization();
  const [made, setMade] = useState<string | null>();
  if (made !== undefined)
    return (
      <Modal title={texts.keys.madeTitle} onClose={onClose}>
        <Secret name={texts.keys.madeTitle} value={made ?? ''} />
      </Modal>
    );
  return (
    <Modal title={say(texts.keys.rotateTitle, { name: keyName(rotated) })} onClose={onClose}>
      <DialogForm
        label={texts.keys.rotateButton}
        action={async (value) => {
          const params = { header, path: { key_id: String(rotated.id) } };
          const body = { grace_seconds: Number(value('grace')) };
          const { key } = await bodyOf(api.POST('/api/keys/{key_id}/rotate', { params, body }));
          setMade(key);
          onRotated();
        }}
        onCancel={onClose}
      >
        {(error: Error | undefined) => (
          <>
            <p>{texts.keys.rotateText}</p>
            {isOwn && (
              <p>
                <strong>{texts.keys.rotateOwn}</strong>
              </p>
            )}
            <Field label={texts.keys.grace} error={error} field="body.grace_seconds">
              <select name="grace" autofocus>
                {GRACE.filter(({ seconds }) => seconds > 0 || !isOwn).map(({ seconds, name }) => (
                  <option key={seconds} value={seconds} selected={seconds === 3_600}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
      </DialogForm>
    </Modal>
  );
}
