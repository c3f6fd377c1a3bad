import type { PushProposal, PushProposalAnswer } from '@chirality/contracts';
import { isBranchNameSafe, type PermissionItem } from '@chirality/domain';
import { GitPullRequestArrow } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { TextArea, TextField } from '../../../components/form/field';
import { Switch } from '../../../components/form/switch';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { plural } from '../../../lib/format/count';
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

type Props = { item: PermissionItem; proposal: PushProposal; answer: Answering; mayAnswer: boolean };

/** What a person has changed of a proposal: kept over reloads, like the reason of a denial. */
function useEdits(proposal: PushProposal, { draft, setDraft }: Answering) {
  const { pullRequest } = proposal;
  const read = (name: string, proposed: string) => draft.written[name] ?? proposed;
  const edits = {
    branch: read('branch', proposal.branch),
    title: read('title', pullRequest.title),
    body: read('body', pullRequest.body),
    base: read('base', pullRequest.base),
    opens: draft.isOwn['opens'] ?? proposal.opensPullRequest,
    isDraft: draft.isOwn['draft'] ?? pullRequest.draft,
  };
  return {
    edits,
    write: (name: 'branch' | 'title' | 'body' | 'base', text: string) =>
      setDraft({ ...draft, written: { ...draft.written, [name]: text } }),
    turn: (name: 'opens' | 'draft', isOn: boolean) => setDraft({ ...draft, isOwn: { ...draft.isOwn, [name]: isOn } }),
  };
}

/** The commits that are sent, and the files that are not. */
function Sent({ proposal, end }: { proposal: PushProposal; end: RefObject<HTMLDivElement | null> }) {
  const { commits, commitCount, uncommitted, uncommittedCount } = proposal;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="What is pushed"
      className="max-h-[min(16rem,28dvh)] overflow-x-hidden overflow-y-auto border-y border-line bg-sunken px-4 py-2.5 text-sm short:max-h-none focus-visible:-outline-offset-2"
    >
      <p className="font-medium">{plural(commitCount, 'commit')}</p>
      <ul className="stack gap-0.5 pt-1">
        {commits.map(({ commit, subject }) => (
          <li key={commit} className="flex gap-2">
            <code className="shrink-0 text-faint">{commit.slice(0, 8)}</code>
            <span dir="auto" className="min-w-0 wrap-anywhere">
              <UntrustedText text={subject} />
            </span>
          </li>
        ))}
      </ul>
      {commitCount > commits.length && (
        <p className="text-faint">and {(commitCount - commits.length).toLocaleString('en-US')} earlier ones</p>
      )}
      {uncommittedCount > 0 && (
        <>
          <p className="pt-2 font-medium text-warn">
            {plural(uncommittedCount, 'uncommitted file')} will not be pushed
          </p>
          <ul className="pt-1 font-mono">
            {uncommitted.map((path) => (
              <li key={path} className="wrap-anywhere">
                <UntrustedText text={path} />
              </li>
            ))}
          </ul>
          {uncommittedCount > uncommitted.length && (
            <p className="text-faint">and {(uncommittedCount - uncommitted.length).toLocaleString('en-US')} more</p>
          )}
        </>
      )}
      <div ref={end} aria-hidden="true" className="-mt-1 h-1" />
    </div>
  );
}

/** A push that Claude proposes. The person who allows it makes it, with their own git account. */
export function PushCard({ item, proposal, answer, mayAnswer }: Props) {
  const { give, isGiving, failure } = answer;
  const end = useRef<HTMLDivElement>(null);
  const isSeen = useSeenEnd(end, true);
  const [isWriting, setWriting] = useWriting(answer);
  const { edits, write, turn } = useEdits(proposal, answer);
  const branchFault = isBranchNameSafe(edits.branch.trim()) ? null : 'Git takes no branch of that name.';
  const titleFault = edits.opens && edits.title.trim() === '' ? 'Enter a title.' : null;
  const block = branchFault ?? titleFault ?? (isSeen ? null : 'Read to the end of what is pushed to allow this.');
  const allow = () => {
    const { title, body, base, isDraft } = edits;
    const pullRequest = edits.opens
      ? { title: title.trim(), body, draft: isDraft, ...(base.trim() === '' ? {} : { base: base.trim() }) }
      : null;
    const changed: PushProposalAnswer = { branch: edits.branch.trim(), pullRequest };
    give({ decision: 'allow_once', proposal: changed });
  };
  return (
    <>
      <CardBody>
        <CardTitle icon={<GitPullRequestArrow size={16} />} expiresAt={item.expiresAt}>
          {edits.opens ? 'Push and open a pull request?' : 'Push this session’s commits?'}
        </CardTitle>
        <SubAgentLine item={item} />
        <p className="px-4 pb-2 text-sm wrap-anywhere text-muted">
          To <UntrustedText text={proposal.remote} />, with your git account.
        </p>
        <Sent proposal={proposal} end={end} />
        {mayAnswer && (
          <div className="stack gap-3 px-4 py-3">
            <TextField
              label="Branch"
              value={edits.branch}
              maxLength={200}
              error={branchFault}
              disabled={isGiving}
              onChange={(event) => write('branch', event.target.value)}
            />
            <Switch
              label="Open a pull request"
              hint="At the git host, in your name."
              checked={edits.opens}
              disabled={isGiving}
              onChange={(isOn) => turn('opens', isOn)}
            />
            {edits.opens && (
              <>
                <TextField
                  label="Title"
                  value={edits.title}
                  maxLength={250}
                  error={titleFault}
                  disabled={isGiving}
                  onChange={(event) => write('title', event.target.value)}
                />
                <TextArea
                  label="Description"
                  rows={4}
                  value={edits.body}
                  maxLength={60_000}
                  disabled={isGiving}
                  hint="Markdown. Everyone who can see the repository can read it."
                  onChange={(event) => write('body', event.target.value)}
                />
                <TextField
                  label="Into branch"
                  value={edits.base}
                  maxLength={250}
                  disabled={isGiving}
                  onChange={(event) => write('base', event.target.value)}
                />
                <Switch
                  label="Draft"
                  hint="Reviewers see that it is not ready."
                  checked={edits.isDraft}
                  disabled={isGiving}
                  onChange={(isOn) => turn('draft', isOn)}
                />
              </>
            )}
          </div>
        )}
      </CardBody>
      <CardEnd>
        <CardFailure failure={failure} />
        {mayAnswer ? (
          <>
            <CardBlock reason={block} />
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
                disabled={isGiving || block !== null}
                onClick={allow}
              >
                {edits.opens ? 'Push and open' : 'Push'}
              </AnswerButton>
            </AnswerRow>
          </>
        ) : (
          <p className="px-4 pb-3 text-sm text-muted">Only people who can write in this session can answer.</p>
        )}
      </CardEnd>
    </>
  );
}
