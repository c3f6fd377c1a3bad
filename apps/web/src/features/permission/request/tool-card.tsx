import type { PermissionItem } from '@chirality/domain';
import { Hand } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Keycap } from '../../../components/ui/keycap';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { ChangeCount } from '../../../components/diff/change-count';
import { DiffView } from '../../../components/diff/diff-view';
import { shortPath, summariseTool } from '../../../lib/tool/tool-summary';
import { approvedInput, offeredRules, ruleWords, type ApprovedInput } from '../../../lib/permission/approved-input';
import type { Answering } from './use-answer';
import { useSeenEnd } from './use-seen-end';
import {
  AnswerButton,
  AnswerRow,
  CardBlock,
  CardBody,
  CardEnd,
  CardFailure,
  CardTitle,
  useWriting,
} from './card-parts';
import { SubAgentLine } from './sub-agent-line';

type Props = {
  item: PermissionItem;
  answer: Answering;
  mayAnswer: boolean;
  /** The workspace as the model names it: paths are shown from there. */ cwd: string | null;
};

/** A browser lays out this much in a box without a pause; the rest comes when it is asked for. */
const SHOWN_CHARACTERS = 30_000;

/** What is to be decided on, whole and with nothing hidden in it. `onSeen` is called once its end has been in sight. */
function Subject({ subject, onSeen }: { subject: ApprovedInput; onSeen: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const [isOpened, setOpened] = useState(false);
  const text = subject.text ?? '';
  const hidden = isOpened ? 0 : Math.max(0, text.length - SHOWN_CHARACTERS);
  const [isDiffWhole, setDiffWhole] = useState(false);
  const isSeen = useSeenEnd(end, subject.patch === null ? hidden === 0 : isDiffWhole);
  useEffect(() => {
    if (isSeen) onSeen();
  }, [isSeen, onSeen]);
  const label = subject.patch !== null ? 'Change' : subject.isCommand ? 'Command' : 'Input';
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-[min(24rem,36dvh)] overflow-x-hidden overflow-y-auto short:max-h-none border-y border-line bg-sunken focus-visible:-outline-offset-2"
    >
      {subject.patch === null ? (
        <pre className="px-4 py-2.5 font-mono text-sm/[1.55] whitespace-break-spaces wrap-anywhere">
          <UntrustedText text={hidden === 0 ? text : text.slice(0, SHOWN_CHARACTERS)} />
        </pre>
      ) : (
        <DiffView patch={subject.patch} showNumbers={false} mustWrap onWhole={setDiffWhole} />
      )}
      {subject.patch?.hunks.length === 0 && (
        <p className="px-4 py-2.5 text-sm text-muted">There is no text in this change.</p>
      )}
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setOpened(true)}
          className="w-full border-t border-line px-4 py-2 text-start text-sm font-medium text-accent hover:bg-hover"
        >
          Show {hidden} more characters
        </button>
      )}
      {subject.others.length > 0 && (
        <dl className="border-t border-line px-4 py-2 font-mono text-sm">
          {subject.others.map(({ name, value }) => (
            <div key={name} className="flex gap-2">
              <dt className="shrink-0 text-faint">
                <UntrustedText text={name} />:
              </dt>
              <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
                <UntrustedText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div ref={end} aria-hidden="true" className="-mt-1 h-1" />
    </div>
  );
}

function Title({ item, subject, cwd }: Pick<Props, 'item' | 'cwd'> & { subject: ApprovedInput }) {
  const { patch } = subject;
  if (patch !== null) {
    return (
      <>
        {item.tool === 'Write' ? 'Write' : 'Edit'}{' '}
        <span className="font-mono text-base font-medium">
          <UntrustedText text={shortPath(patch.path ?? '', cwd)} />
        </span>
        ? <ChangeCount additions={patch.additions} deletions={patch.deletions} />
      </>
    );
  }
  if (item.tool === 'Bash') return 'Run this command?';
  return (
    <>
      Use <UntrustedText text={summariseTool({ name: item.tool, input: null }, cwd).verb} />?
    </>
  );
}

/** What an answer for the session would allow, whole: each rule as it will be stored. */
function SessionRules({ rules }: { rules: readonly string[] }) {
  return (
    <span className="min-w-0 text-start whitespace-normal wrap-anywhere">
      Allow{' '}
      {rules.map((rule, at) => (
        <span key={rule}>
          {at > 0 && ' and '}
          <code className="font-mono text-sm">
            <UntrustedText text={ruleWords(rule)} />
          </code>
        </span>
      ))}{' '}
      in this session
    </span>
  );
}

export function ToolCard({ item, answer, mayAnswer, cwd }: Props) {
  const { give, isGiving, failure } = answer;
  const [isSeen, setSeen] = useState(false);
  const noteSeen = useCallback(() => setSeen(true), []);
  const [isWriting, setWriting] = useWriting(answer);
  const subject = useMemo(() => approvedInput(item), [item]);
  const rules = offeredRules(item);
  const description = (item.input as { description?: unknown } | null)?.description;
  const off = isGiving || !isSeen;
  return (
    <>
      <CardBody>
        <CardTitle icon={<Hand size={16} />} expiresAt={item.expiresAt}>
          <Title item={item} subject={subject} cwd={cwd} />
        </CardTitle>
        <SubAgentLine item={item} />
        <Subject subject={subject} onSeen={noteSeen} />
        <p className="px-4 py-2 text-sm whitespace-pre-wrap text-muted wrap-anywhere">
          {typeof description === 'string' && description !== '' && (
            <>
              <UntrustedText text={description} /> ·{' '}
            </>
          )}
          <UntrustedText text={item.reason} />
        </p>
      </CardBody>
      <CardEnd>
        <CardFailure failure={failure} />
        {mayAnswer ? (
          <>
            <CardBlock reason={isSeen ? null : 'Read to the end to allow this.'} />
            <AnswerRow
              answer={answer}
              denyLabel="Deny"
              reasonLabel="Deny with a reason…"
              placeholder="Reason (Claude will see it)"
              submitLabel="Deny"
              isWriting={isWriting}
              onWriting={setWriting}
            >
              <AnswerButton
                keyName="1"
                variant="primary"
                busy={isGiving}
                disabled={off}
                onClick={() => give({ decision: 'allow_once' })}
              >
                Allow once
              </AnswerButton>
              {rules.length > 0 && (
                <AnswerButton
                  keyName="2"
                  disabled={off}
                  onClick={() => give({ decision: 'allow_pattern' })}
                  className="h-auto min-h-9 max-w-full min-w-0 py-1"
                >
                  <SessionRules rules={rules} />
                </AnswerButton>
              )}
              <AllowTool tool={item.tool} isOff={off} onAllow={() => give({ decision: 'allow_tool' })} />
            </AnswerRow>
          </>
        ) : (
          <p className="px-4 pb-3 text-sm text-muted">Only people who can write in this session can answer.</p>
        )}
      </CardEnd>
    </>
  );
}

/** The widest answer says what it does before it counts. */
function AllowTool({ tool, isOff, onAllow }: { tool: string; isOff: boolean; onAllow: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const what = tool === 'Bash' ? 'all commands' : `every use of ${tool}`;
  if (!isAsking) {
    return (
      <Button
        variant="quiet"
        data-key="3"
        disabled={isOff}
        onClick={() => setAsking(true)}
        className="h-auto min-h-9 min-w-0 py-1 whitespace-normal"
      >
        Allow {what} in this session…
        <Keycap>3</Keycap>
      </Button>
    );
  }
  return (
    <div
      role="group"
      aria-label={`Allow ${what}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setAsking(false);
      }}
      className="flex basis-full flex-wrap items-center gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm"
    >
      <span className="min-w-0 flex-1 basis-60">
        Until the session ends, Claude runs {what} here without asking anyone. Deny rules still apply.
      </span>
      <AnswerButton size="small" variant="danger" disabled={isOff} onClick={onAllow}>
        Allow {what}
      </AnswerButton>
      <Button size="small" variant="quiet" autoFocus onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </div>
  );
}
