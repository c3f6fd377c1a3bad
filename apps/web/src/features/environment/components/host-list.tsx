import type { ProjectEgress } from '@chirality/contracts';
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
import { egressQuery, useReplaceEgress } from '../environment.api';
import { faultInHosts, hostsOfText } from '../host-lines';

function HostForm({ projectId, egress }: { projectId: string; egress: ProjectEgress }) {
  const [text, setText] = useState(egress.hosts.join('\n'));
  const [webSearch, setWebSearch] = useState(egress.webSearch);
  const [fault, setFault] = useState<string | null>(null);
  const save = useReplaceEgress(projectId, (saved, { submitted }) =>
    setText((now) => afterSave(now, submitted, saved.hosts.join('\n'))),
  );
  const isChanged = text.trim() !== egress.hosts.join('\n') || webSearch !== egress.webSearch;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const hosts = hostsOfText(text);
    const found = faultInHosts(hosts);
    setFault(found);
    if (found === null) save.mutate({ submitted: text, hosts, webSearch });
  };
  return (
    <Form hasFailed={fault !== null || save.isError} className="stack gap-3" onSubmit={submit}>
      <TextArea
        label="Hosts"
        rows={Math.min(12, Math.max(4, text.split('\n').length + 1))}
        className="font-mono text-sm"
        placeholder={'registry.example.org\n*.githubusercontent.com\ngit.example.com:8443'}
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={fault}
        hint="One per line. *. matches all subdomains. Default ports 80 and 443."
      />
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          className="mt-1 accent-(--color-accent)"
          checked={webSearch}
          onChange={(event) => setWebSearch(event.target.checked)}
        />
        <span>
          Let Claude search the web
          <span className="block text-sm text-muted">
            The search runs at the model’s service, so this list doesn’t limit its results.
          </span>
        </span>
      </label>
      {save.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={save.error} />
        </Callout>
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged}>
          Save hosts
        </Button>
        {save.isSuccess && !isChanged && (
          <span role="status" className="text-sm text-muted">
            Saved. Applies from the next turn.
          </span>
        )}
      </div>
    </Form>
  );
}

function HostsAsText({ egress }: { egress: ProjectEgress }) {
  if (egress.hosts.length === 0)
    return (
      <p className="text-muted">
        No host can be reached.{egress.webSearch && ' Claude may search the web.'} An admin of the team can list some.
      </p>
    );
  return (
    <ul className="flex flex-wrap gap-2">
      {egress.hosts.map((host) => (
        <li key={host} className="rounded-md bg-sunken px-2 py-1 font-mono text-sm">
          {host}
        </li>
      ))}
    </ul>
  );
}

/** The hosts that a project's sandboxes may reach; an editor for those who may change them. */
export function HostList({ projectId, mayManage }: { projectId: string; mayManage: boolean }) {
  const egress = useQuery(egressQuery(projectId));
  return (
    <QueryGate query={egress} pending={<SkeletonRows count={1} className="h-28 rounded-lg" />}>
      {(data) => (mayManage ? <HostForm projectId={projectId} egress={data} /> : <HostsAsText egress={data} />)}
    </QueryGate>
  );
}
