import type { DeviceRequest } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Callout } from '../../components/ui/callout';
import { useUser } from '../../features/access/hooks/use-user';
import { AuthFrame } from '../../features/auth/components/auth-frame';
import { DeviceCodeForm } from '../../features/token/components/device-code-form';
import { DeviceRequestView } from '../../features/token/components/device-request';
import { useTitle } from '../../lib/page/use-title';

type Step =
  | { at: 'code' }
  | { at: 'request'; request: DeviceRequest; userCode: string }
  | { at: 'answered'; decision: 'allow' | 'deny' };

/** Where a person confirms that a program may act as them. */
export default function DevicePage() {
  useTitle('Sign in a program');
  const user = useUser();
  const [step, setStep] = useState<Step>({ at: 'code' });
  if (step.at === 'answered')
    return (
      <AuthFrame title={step.decision === 'allow' ? 'The program is signed in' : 'Denied'}>
        <Callout
          tone={step.decision === 'allow' ? 'good' : 'info'}
          role="status"
          title={step.decision === 'allow' ? 'Return to the program' : 'The program was not signed in'}
        >
          {step.decision === 'allow'
            ? 'It continues in a few seconds. You can close this page.'
            : 'It sees that you denied it. You can close this page.'}
        </Callout>
        <Link to="/" className="mt-6 text-center text-sm text-muted underline-offset-4 hover:text-text hover:underline">
          Go to Chirality
        </Link>
      </AuthFrame>
    );
  return step.at === 'code' ? (
    <AuthFrame
      title="Sign in a program"
      description={`Signed in as ${user.email}. Enter the code that the program shows.`}
    >
      <DeviceCodeForm onFound={(request, userCode) => setStep({ at: 'request', request, userCode })} />
    </AuthFrame>
  ) : (
    <AuthFrame title="Allow this program?" description={`It wants to act as ${user.name} (${user.email}).`}>
      <DeviceRequestView
        request={step.request}
        userCode={step.userCode}
        onAnswered={(decision) => setStep({ at: 'answered', decision })}
      />
    </AuthFrame>
  );
}
