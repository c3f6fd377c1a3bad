import type { PullRequestOptions } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { TextArea, TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { Switch } from '../../../components/form/switch';
import { Callout } from '../../../components/ui/callout';
import { SafeLink } from '../../../components/markdown/safe-link';
import { ApiError } from '../../../lib/http/api-error';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import {
  pullRequestFactsQuery,
  pullRequestOptionsQuery,
  remoteCreateUrlQuery,
  useOpenPullRequest,
} from '../pull-request.api';
import { askedForPart, suggestedBody, suggestedTitle, type SessionFacts } from '../suggested-words';
import { ReviewerChoice } from './reviewer-choice';

type Props = {
  sessionId: string;
  sessionTitle: string;
  /** What people asked for in the session: in the body only when that is ticked. */
  prompts: readonly string[];
};

function OpenForm({
  sessionId,
  sessionTitle,
  prompts,
  options,
  facts,
  onDone,
}: Props & { options: PullRequestOptions; facts: SessionFacts; onDone: () => void }) {
  const [body, setBody] = useState(() => suggestedBody(facts, window.location.href.split('#')[0] ?? ''));
  const [withPrompts, setWithPrompts] = useState(false);
  const [pushes, setPushes] = useState(true);
  const [isDraft, setDraft] = useState(false);
  const [reviewers, setReviewers] = useState<readonly string[]>([]);
  const open = useOpenPullRequest(sessionId, onDone);
  const choosePrompts = (wanted: boolean) => {
    // The rest may have been changed meanwhile.
    const part = `\n\n${askedForPart(prompts)}`;
    setBody(wanted ? body + part : body.replace(part, ''));
    setWithPrompts(wanted);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    open.mutate({
      title: String(form.get('title') ?? '').trim(),
      body,
      base: String(form.get('base') ?? '').trim(),
      head: pushes ? null : String(form.get('head') ?? '').trim(),
      pushed: options.head,
      draft: isDraft,
      reviewers: [...reviewers],
    });
  };
  return (
    <Form hasFailed={open.isError} className="stack gap-4" onSubmit={submit}>
      <TextField
        label="Title"
        name="title"
        required
        maxLength={250}
        defaultValue={suggestedTitle(sessionTitle, facts)}
      />
      <TextArea
        label="Description"
        rows={10}
        maxLength={60_000}
        value={body}
        onChange={(event) => setBody(event.target.value)}
        hint="Markdown. Everyone who can see the repository can read it."
      />
      {prompts.length > 0 && (
        <Switch
          label="Include the messages of this session"
          hint="What people asked Claude, word for word."
          checked={withPrompts}
          onChange={choosePrompts}
        />
      )}
      <Switch
        label="Push the session’s commits first"
        hint={`To ${options.host}, with your git account. Files that are not committed stay here.`}
        checked={pushes}
        onChange={setPushes}
      />
      <div className="grid items-start gap-4 phone:grid-cols-2">
        <TextField
          label="From branch"
          name="head"
          required
          maxLength={250}
          disabled={pushes}
          defaultValue={options.head ?? ''}
          placeholder={pushes ? 'Named when it is pushed' : undefined}
        />
        <TextField label="Into branch" name="base" required maxLength={250} defaultValue={options.base} />
      </div>
      <Switch label="Draft" hint="Reviewers see that it is not ready." checked={isDraft} onChange={setDraft} />
      <ReviewerChoice reviewers={options.reviewers} chosen={reviewers} onChange={setReviewers} />
      <FormEnd
        submit={options.kind === 'gitlab' ? 'Open merge request' : 'Open pull request'}
        outcome={{ error: open.error, isPending: open.isPending }}
        onCancel={onDone}
      />
    </Form>
  );
}

/** A host without an API that is known may still offer an address where one can be opened. */
function Elsewhere({ sessionId, why }: { sessionId: string; why: string }) {
  const createUrl = useQuery(remoteCreateUrlQuery(sessionId)).data ?? null;
  return (
    <Callout tone="warn" role="status" title="It cannot be opened from here">
      {why}
      {createUrl !== null && (
        <span className="mt-1 block text-accent">
          <SafeLink href={createUrl}>Open it at the remote</SafeLink>
        </span>
      )}
    </Callout>
  );
}

function Contents(props: Props & { onDone: () => void }) {
  const options = useQuery(pullRequestOptionsQuery(props.sessionId));
  const facts = useQuery(pullRequestFactsQuery(props.sessionId));
  const pending = <SkeletonRows count={4} className="h-10" />;
  if (options.error instanceof ApiError && options.error.code === 'PULL_REQUEST_FAILED')
    return <Elsewhere sessionId={props.sessionId} why={options.error.message} />;
  return (
    <QueryGate query={options} pending={pending}>
      {(offered) => (
        <QueryGate query={facts} pending={pending}>
          {(known) => <OpenForm {...props} options={offered} facts={known} />}
        </QueryGate>
      )}
    </QueryGate>
  );
}

export function OpenPullRequestDialog({
  open,
  onOpenChange,
  ...props
}: Props & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Open a pull request" wide>
      <Contents {...props} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
