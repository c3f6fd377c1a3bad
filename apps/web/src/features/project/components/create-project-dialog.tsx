import type { ProjectSource } from '@chirality/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Folder, FolderGit2, FolderOpen, FolderUp } from 'lucide-react';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { useCreateProject } from '../project.api';
import { GitSourceFields } from './git-source-fields';
import { nameOfSource } from '../name-of-source';

type Kind = ProjectSource['kind'];

const KINDS: { kind: Kind; icon: ReactNode; title: string; hint: string }[] = [
  { kind: 'empty', icon: <Folder size={18} />, title: 'Empty folder', hint: 'Start from nothing' },
  { kind: 'git', icon: <FolderGit2 size={18} />, title: 'Git repository', hint: 'From a git host' },
  { kind: 'upload', icon: <FolderUp size={18} />, title: 'Upload', hint: 'From your computer' },
  { kind: 'directory', icon: <FolderOpen size={18} />, title: 'Directory', hint: 'On this server' },
];

function KindChoice({ value, onChange }: { value: Kind; onChange: (kind: Kind) => void }) {
  const name = useId();
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="pb-1.5 text-sm font-medium">Start from</legend>
      {KINDS.map(({ kind, icon, title, hint }) => (
        <label
          key={kind}
          className="grid cursor-pointer content-start gap-0.5 rounded-lg border border-line-strong p-3 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={kind}
            checked={kind === value}
            onChange={() => onChange(kind)}
            className="sr-only"
          />
          <span aria-hidden="true" className="pb-1 text-muted">
            {icon}
          </span>
          <span className="text-sm font-medium">{title}</span>
          <span className="text-xs text-muted">{hint}</span>
        </label>
      ))}
    </fieldset>
  );
}

function CreateProjectForm({ teamId, onDone }: { teamId: string | undefined; onDone: () => void }) {
  const [kind, setKind] = useState<Kind>('empty');
  const [place, setPlace] = useState('');
  const [branch, setBranch] = useState('');
  const [name, setName] = useState<string | null>(null);
  const navigate = useNavigate();
  const source: ProjectSource =
    kind === 'git'
      ? { kind, url: place.trim(), ...(branch !== '' && { branch }) }
      : kind === 'directory'
        ? { kind, path: place.trim() }
        : { kind };
  const shownName = name ?? nameOfSource(source);

  const create = useCreateProject((project) => {
    onDone();
    void navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name: shownName.trim(), source, ...(teamId !== undefined && { teamId }) });
  };

  return (
    <Form hasFailed={create.isError} className="stack gap-4" onSubmit={submit}>
      <KindChoice
        value={kind}
        onChange={(next) => {
          setKind(next);
          setPlace('');
          setBranch('');
        }}
      />
      {kind === 'git' && (
        <GitSourceFields teamId={teamId} url={place} branch={branch} onUrl={setPlace} onBranch={setBranch} />
      )}
      {kind === 'upload' && <p className="text-sm text-muted">Next you’ll upload a .zip or .tar.gz archive.</p>}
      {kind === 'directory' && (
        <TextField
          label="Directory"
          placeholder="/srv/code/project"
          hint="Under a root that this server’s configuration allows. The original stays as it is."
          value={place}
          onChange={(event) => setPlace(event.target.value)}
          required
          autoFocus
          maxLength={4096}
        />
      )}
      <TextField
        label="Name"
        value={shownName}
        onChange={(event) => setName(event.target.value)}
        required
        maxLength={100}
        autoFocus={kind === 'empty' || kind === 'upload'}
      />
      <FormEnd submit="Create" outcome={create} onCancel={onDone} />
    </Form>
  );
}

/** In the named team; without one in the only team that the person is in. */
export function CreateProjectDialog({
  teamId,
  open,
  onOpenChange,
}: {
  teamId: string | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New project">
      <CreateProjectForm teamId={teamId} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
