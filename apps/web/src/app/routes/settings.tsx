import { useState } from 'react';
import { Avatar } from '../../components/ui/avatar';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { Page, Section } from '../../components/ui/page';
import { Segmented } from '../../components/ui/segmented';
import { changePassword } from '../../features/auth/api/change-password';
import { NewPasswordForm } from '../../features/auth/components/new-password-form';
import { PasswordField } from '../../features/auth/components/password-field';
import { useUser } from '../../features/auth/hooks/use-user';
import { KeysSection } from '../../features/key/components/keys-section';
import { useTeams } from '../../features/team/hooks/use-team';
import { ROLE_NAMES } from '../../features/team/role-names';
import { chooseTextSize, chooseTheme, textSize, theme, type TextSize, type Theme } from '../../lib/appearance';
import { useObservable } from '../../lib/use-observable';
import { useTitle } from '../../lib/use-title';
import { auth } from '../services';

const THEMES: { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const SIZES: { value: TextSize; label: string }[] = [
  { value: 'small', label: 'Small' },
  { value: 'normal', label: 'Normal' },
  { value: 'large', label: 'Large' },
];

function PasswordSection() {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  const change = async (newPassword: string, form: FormData) => {
    await changePassword({ currentPassword: String(form.get('current')), newPassword });
    await auth.renew();
    setOpen(false);
    setDone(true);
  };
  return (
    <Section title="Password" description="Changing it signs you out everywhere else.">
      {isDone && (
        <Callout tone="good" role="status" className="mb-3">
          Your password is changed.
        </Callout>
      )}
      {isOpen ? (
        <div className="max-w-sm">
          <NewPasswordForm submitLabel="Change the password" onSubmit={change}>
            <PasswordField label="Current password" name="current" autoComplete="current-password" required autoFocus />
          </NewPasswordForm>
        </div>
      ) : (
        <Button onClick={() => setOpen(true)}>Change the password…</Button>
      )}
    </Section>
  );
}

export default function SettingsPage() {
  useTitle('Settings');
  const user = useUser();
  const teams = useTeams();
  return (
    <Page title="Settings">
      <Section title="You">
        <div className="flex items-center gap-3.5">
          <Avatar id={user.id} name={user.name} size={44} />
          <div className="min-w-0">
            <p className="truncate font-medium">{user.name}</p>
            <p className="truncate text-muted">{user.email}</p>
            <p className="truncate text-sm text-faint">{teams.map((team) => `${ROLE_NAMES[team.role]} of ${team.name}`).join(', ')}</p>
          </div>
        </div>
      </Section>
      <KeysSection />
      <Section title="Theme">
        <Segmented label="Theme" value={useObservable(theme)} options={THEMES} onChange={chooseTheme} />
      </Section>
      <Section title="Text size">
        <Segmented label="Text size" value={useObservable(textSize)} options={SIZES} onChange={chooseTextSize} />
      </Section>
      <PasswordSection />
      <Section title="This browser">
        <Button onClick={() => void auth.signOut()}>Sign out</Button>
      </Section>
    </Page>
  );
}
