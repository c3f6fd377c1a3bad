import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { Page, Section } from '../../components/ui/page';
import { Segmented } from '../../components/form/segmented';
import { useChangePassword } from '../../features/auth/auth.api';
import { DeviceList } from '../../features/auth/components/device-list';
import { NewPasswordForm } from '../../features/auth/components/new-password-form';
import { PasswordField } from '../../features/auth/components/password-field';
import { ProfileSection } from '../../features/auth/components/profile-section';
import { useUser } from '../../features/access/hooks/use-user';
import { OwnGitAccounts } from '../../features/git-account/components/git-accounts-section';
import { KeysSection } from '../../features/key/components/keys-section';
import { useTeams } from '../../features/access/hooks/use-team';
import { projectsQuery } from '../../features/project/project.api';
import { ROLE_NAMES } from '../../features/team/role-names';
import { ServiceAccountsSection } from '../../features/token/components/service-accounts-section';
import { TokensSection } from '../../features/token/components/tokens-section';
import { chooseTextSize, chooseTheme, textSize, theme, type TextSize, type Theme } from '../../lib/page/appearance';
import { useObservable } from '../../lib/state/use-observable';
import { useTitle } from '../../lib/page/use-title';
import { auth } from '../services/services';

const THEMES: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const SIZES: { value: TextSize; label: string }[] = [
  { value: 'small', label: 'Small' },
  { value: 'normal', label: 'Normal' },
  { value: 'large', label: 'Large' },
];

function PasswordSection() {
  const user = useUser();
  const changePassword = useChangePassword();
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  const change = async (newPassword: string, form: FormData) => {
    await changePassword.mutateAsync({ currentPassword: String(form.get('current')), newPassword });
    await auth.renew();
    setOpen(false);
    setDone(true);
  };
  return (
    <Section
      title="Password"
      description="Changing it signs out all your other devices. Access tokens stay; revoke them above."
    >
      {isDone && (
        <Callout tone="good" role="status" className="mb-3">
          Password changed.
        </Callout>
      )}
      {isOpen ? (
        <div className="max-w-sm">
          <NewPasswordForm submitLabel="Change password" owner={user} onSubmit={change}>
            {(errors) => (
              <PasswordField
                label="Current password"
                name="current"
                autoComplete="current-password"
                required
                autoFocus
                error={errors['currentPassword'] ?? null}
              />
            )}
          </NewPasswordForm>
        </div>
      ) : (
        <Button onClick={() => setOpen(true)}>Change password…</Button>
      )}
    </Section>
  );
}

export default function SettingsPage() {
  useTitle('Settings');
  const user = useUser();
  const teams = useTeams();
  const projects = useQuery(projectsQuery).data ?? [];
  return (
    <Page title="Settings">
      <ProfileSection
        key={user.id}
        roles={teams.map((team) => `${ROLE_NAMES[team.role]} of ${team.name}`).join(', ')}
      />
      <KeysSection />
      <OwnGitAccounts />
      <TokensSection projects={projects} />
      <ServiceAccountsSection projects={projects} />
      <Section title="Theme">
        <Segmented label="Theme" value={useObservable(theme)} options={THEMES} onChange={chooseTheme} />
      </Section>
      <Section title="Text size">
        <Segmented label="Text size" value={useObservable(textSize)} options={SIZES} onChange={chooseTextSize} />
      </Section>
      <PasswordSection />
      <DeviceList />
    </Page>
  );
}
