import { useState, type FormEvent } from 'react';
import { Avatar } from '../../../components/ui/avatar';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { Section } from '../../../components/ui/page';
import { useAuth } from '../../access/auth-service';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { useUpdateMe } from '../auth.api';
import { useUser } from '../../access/hooks/use-user';
import { PasswordField } from './password-field';
import { FailureText } from '../../../components/text/failure-text';

/** My display name, and with my password my address. */
export function ProfileSection({ roles }: { roles: string }) {
  const auth = useAuth();
  const user = useUser();
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [password, setPassword] = useState('');
  const movesMail = email.trim().toLowerCase() !== user.email;
  const isChanged = name.trim() !== user.name || movesMail;
  const save = useUpdateMe((updated) => {
    setPassword('');
    setEmail(updated.email);
    auth.setUser(updated);
  });
  const errors = fieldErrorsOf(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name: name.trim(), ...(movesMail && { email: email.trim(), currentPassword: password }) });
  };
  return (
    <Section title="Profile">
      <div className="flex items-center gap-3.5 pb-4">
        <Avatar id={user.id} name={user.name} size={44} />
        <div className="min-w-0">
          <p className="truncate font-medium">{user.name}</p>
          <p className="truncate text-sm text-muted">{roles}</p>
        </div>
      </div>
      <Form hasFailed={save.isError} className="stack max-w-sm gap-4" onSubmit={submit}>
        {save.isError && Object.keys(errors).length === 0 && (
          <Callout tone="bad" role="alert">
            <FailureText error={save.error} />
          </Callout>
        )}
        <TextField
          label="Display name"
          hint="Shown next to your messages."
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
          autoComplete="name"
          error={errors['name'] ?? null}
        />
        <TextField
          label="E-mail"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          required
          maxLength={254}
          autoComplete="email"
          error={errors['email'] ?? null}
        />
        {movesMail && (
          <PasswordField
            label="Current password"
            hint="Needed to change your e-mail address."
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            required
            error={errors['currentPassword'] ?? null}
          />
        )}
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isChanged || name.trim() === ''}>
            Save
          </Button>
          {save.isSuccess && !isChanged && (
            <span role="status" className="text-sm text-muted">
              Saved
            </span>
          )}
        </div>
      </Form>
    </Section>
  );
}
