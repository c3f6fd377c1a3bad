import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { TextArea } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { FailureText } from '../../../components/text/failure-text';
import { afterSave } from '../../../lib/form/after-save';
import { setupScriptQuery, useReplaceSetupScript } from '../environment.api';

function ScriptForm({ projectId, script }: { projectId: string; script: string }) {
  const [text, setText] = useState(script);
  const save = useReplaceSetupScript(projectId, (saved, submitted) =>
    setText((now) => afterSave(now, submitted, saved ?? '')),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(text);
  };
  return (
    <Form hasFailed={save.isError} className="stack gap-3" onSubmit={submit}>
      <TextArea
        label="Script"
        rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
        className="font-mono text-sm"
        placeholder="npm ci"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={32_768}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="Run by bash in the session’s files; the first command that fails ends it. At most 10 minutes."
      />
      {save.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={save.error} />
        </Callout>
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={text === script}>
          Save script
        </Button>
        {save.isSuccess && text === script && (
          <span role="status" className="text-sm text-muted">
            Saved. It runs before the next turn of each session.
          </span>
        )}
      </div>
    </Form>
  );
}

/** What runs in each new copy of the project's files. */
export function SetupScript({ projectId, mayManage }: { projectId: string; mayManage: boolean }) {
  const setup = useQuery(setupScriptQuery(projectId));
  return (
    <QueryGate query={setup} pending={<SkeletonRows count={1} className="h-28 rounded-lg" />}>
      {({ script }) => {
        if (mayManage) return <ScriptForm projectId={projectId} script={script ?? ''} />;
        if (script === null) return <p className="text-muted">There is none. An admin of the team can write one.</p>;
        return (
          <pre className="overflow-x-auto rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm">
            {script}
          </pre>
        );
      }}
    </QueryGate>
  );
}
