import type { GitWebhook, Project } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { FailureText } from '../../../components/text/failure-text';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatFull } from '../../../lib/format/time';
import { projectWebhookQuery, usePutProjectWebhook, useRemoveProjectWebhook } from './project-webhook.api';

const HOSTS = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea or Forgejo' } as const;

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div className="stack gap-1">
      <span className="text-sm font-medium">{label}</span>
      <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code
          tabIndex={0}
          aria-label={label}
          className="min-w-0 flex-1 overflow-x-auto font-mono text-sm whitespace-nowrap"
        >
          {text}
        </code>
        <CopyButton text={text} label={`Copy: ${label}`} caption="Copy" />
      </div>
    </div>
  );
}

function Facts({ webhook: { lastDelivery, lastFailure, secretSince, createdBy } }: { webhook: GitWebhook }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <dt className="text-muted">Set up by</dt>
      <dd>{createdBy.name}</dd>
      <dt className="text-muted">Secret since</dt>
      <dd>{formatFull(secretSince)}</dd>
      <dt className="text-muted">Last delivery</dt>
      <dd className="wrap-anywhere">
        {lastDelivery === null ? (
          'None yet. The host sends one when the webhook is saved there.'
        ) : (
          <>
            {formatFull(lastDelivery.at)}, {HOSTS[lastDelivery.host]}: <UntrustedText text={lastDelivery.event} />
          </>
        )}
      </dd>
      {lastFailure !== null && (
        <>
          <dt className="text-muted">Last failure</dt>
          <dd className="text-warn wrap-anywhere">
            {formatFull(lastFailure.at)}: {lastFailure.text}
          </dd>
        </>
      )}
    </dl>
  );
}

function Webhook({ projectId, webhook }: { projectId: string; webhook: GitWebhook | null }) {
  const put = usePutProjectWebhook(projectId);
  const remove = useRemoveProjectWebhook(projectId);
  const [asking, setAsking] = useState<'rotate' | 'remove' | null>(null);
  const secret = put.data?.secret ?? null;
  return (
    <div className="stack gap-4 rounded-lg border border-line bg-surface p-4 shadow-card">
      {webhook === null ? (
        <p className="text-sm text-muted">
          Without a webhook the host is asked once a minute while someone looks at a pull request.
        </p>
      ) : (
        <>
          <Copied label="Address" text={webhook.url} />
          {secret !== null && (
            <Callout tone="good" role="status" title="The secret is shown this once">
              Enter both at the host, with the content type JSON: on GitHub and Gitea as the webhook’s secret, on GitLab
              as its secret or signing token. Choose pull or merge requests, their reviews and comments, and checks,
              statuses or pipelines.
            </Callout>
          )}
          {secret !== null && <Copied label="Secret" text={secret} />}
          <Facts webhook={webhook} />
        </>
      )}
      {put.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={put.error} />
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        {webhook === null ? (
          <Button busy={put.isPending} onClick={() => put.mutate()}>
            Set up a webhook
          </Button>
        ) : (
          <>
            <Button onClick={() => setAsking('rotate')}>New secret…</Button>
            <Button variant="danger" onClick={() => setAsking('remove')}>
              Remove…
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        title="Make a new secret?"
        confirmLabel="Make a new secret"
        open={asking === 'rotate'}
        onOpenChange={() => setAsking(null)}
        onConfirm={() => put.mutateAsync()}
      >
        Deliveries that are signed with the old one no longer count, until you enter the new one at the host.
      </ConfirmDialog>
      <ConfirmDialog
        title="Remove the webhook?"
        confirmLabel="Remove"
        open={asking === 'remove'}
        onOpenChange={() => setAsking(null)}
        onConfirm={async () => {
          await remove.mutateAsync();
          put.reset();
        }}
      >
        Its address is gone for good. Remove it at the host as well, where deliveries fail from then on.
      </ConfirmDialog>
    </div>
  );
}

/** Where the git host reports changes of pull requests, for those who manage the project. */
export function ProjectWebhook({ project }: { project: Project }) {
  const mayManage = project.role === 'manage' && project.source.kind === 'git';
  const webhook = useQuery({ ...projectWebhookQuery(project.id), enabled: mayManage });
  if (!mayManage) return null;
  return (
    <Section
      title="Webhook of the git host"
      description="Checks, reviews and comments of pull requests are shown as soon as the host reports them."
    >
      <QueryGate query={webhook} pending={<SkeletonRows count={2} className="h-10" />}>
        {(found) => <Webhook projectId={project.id} webhook={found} />}
      </QueryGate>
    </Section>
  );
}
