import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { announce } from '../../parts/announce';
import { useChange, useLoad } from '../../parts/load';
import { Confirm } from '../../parts/modal';
import { Section } from '../../parts/page';
import { Empty, Failure, Shown } from '../../parts/states';
import { texts } from '../../text';
import { sandboxText } from './conversation-texts';
import { LongText } from './long-text';
import type { Conversation } from './use-conversation';

const words = { ...texts.conversations, ...texts.conversations.sandboxes };

/** The sandbox of a conversation: pause and resume it, and read its log, where that is one's own. */
export function Sandbox(props: { conversation: Conversation; onChange: () => void }): JSX.Element {
  const { sandbox_id, sandbox_status, isOwn } = props.conversation;
  return (
    <Section title={words.title}>
      {sandbox_id === null ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <p>
            <strong>{sandboxText(sandbox_status)}</strong> <code>{sandbox_id}</code>
          </p>
          {isOwn ? (
            <>
              {sandbox_status === 'ERROR' && <Reason id={sandbox_id} />}
              <div class="buttons start">
                <Power id={sandbox_id} status={sandbox_status} onChange={props.onChange} />
              </div>
              <Log id={sandbox_id} />
            </>
          ) : (
            <p>{words.othersOnly}</p>
          )}
        </>
      )}
    </Section>
  );
}

/** Why a sandbox is in error. */
function Reason({ id }: { id: string }): JSX.Element {
  const { header } = useOrganization();
  const sandbox = useLoad(
    async (signal) => {
      const [found] = await bodyOf(
        api.GET('/api/v1/sandboxes', { params: { query: { id: [id] }, header }, signal }),
      );
      return found?.status_detail ?? '';
    },
    [id],
  );
  return <Shown of={sandbox}>{(detail) => detail !== '' && <LongText text={detail} />}</Shown>;
}

/** One button, so that the focus stays where it is when the state changes. */
function Power(props: { id: string; status: string; onChange: () => void }): JSX.Element | null {
  const { id, status, onChange } = props;
  const { header } = useOrganization();
  const change = useChange();
  const [isPausing, setPausing] = useState(false);
  const params = { path: { sandbox_id: id }, header };
  const pause = async (): Promise<void> => {
    await bodyOf(api.POST('/api/v1/sandboxes/{sandbox_id}/pause', { params }));
    announce(words.paused);
    onChange();
  };
  const resume = async (): Promise<void> => {
    const isDone = await change.run(() =>
      bodyOf(api.POST('/api/v1/sandboxes/{sandbox_id}/resume', { params })),
    );
    if (!isDone) return;
    announce(words.resumed);
    onChange();
  };
  if (status === 'MISSING') return null;
  const canResume = status === 'PAUSED' || status === 'ERROR';
  return (
    <>
      <button
        type="button"
        class="secondary outline small"
        aria-busy={change.isBusy}
        aria-disabled={!canResume && status !== 'RUNNING'}
        onClick={() => {
          if (canResume) void resume();
          else if (status === 'RUNNING') setPausing(true);
        }}
      >
        {canResume ? words.resume : words.pause}
      </button>
      {change.error !== undefined && <Failure error={change.error} />}
      {isPausing && (
        <Confirm
          title={words.pauseTitle}
          label={words.pause}
          action={pause}
          onClose={() => setPausing(false)}
        >
          <p>{words.pauseText}</p>
        </Confirm>
      )}
    </>
  );
}

/** The end of the log of the agent server, read when it is asked for. */
function Log({ id }: { id: string }): JSX.Element {
  const [round, setRound] = useState(0);
  return (
    <>
      <button type="button" class="secondary outline small" onClick={() => setRound(round + 1)}>
        {round === 0 ? words.showLog : words.reloadLog}
      </button>
      {round > 0 && <LogLines id={id} round={round} />}
    </>
  );
}

function LogLines({ id, round }: { id: string; round: number }): JSX.Element {
  const { header } = useOrganization();
  const log = useLoad(
    (signal) =>
      bodyOf(
        api.GET('/api/v1/sandboxes/{sandbox_id}/logs', {
          params: { path: { sandbox_id: id }, header },
          signal,
        }),
      ),
    [id, round],
  );
  return (
    <Shown of={log}>
      {({ lines }) =>
        lines.length === 0 ? (
          <Empty>{words.emptyLog}</Empty>
        ) : (
          <pre tabIndex={0} role="region" aria-label={words.log} dir="auto">
            {lines.join('\n')}
          </pre>
        )
      }
    </Shown>
  );
}
