import type { JSX } from 'preact';
import type { Schemas } from '../../api/client';
import { When } from '../../parts/show';
import { texts } from '../../text';

/** Whether anything is sent to a webhook, and if not, why. */
export function WebhookState({ webhook }: { webhook: Schemas['WebhookResponse'] }): JSX.Element {
  const { enabled, disabled_reason: reason, failing_since: failing } = webhook;
  if (!enabled)
    return (
      <>
        {texts.webhooks.disabled}
        {reason !== null && `: ${texts.webhooks.reasons[reason]}`}
      </>
    );
  if (failing === null) return <>{texts.webhooks.enabled}</>;
  return (
    <>
      {texts.webhooks.failing} <When at={failing} />
    </>
  );
}
