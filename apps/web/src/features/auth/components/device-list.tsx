import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { FailureText } from '../../../components/text/failure-text';
import { useAuth } from '../../access/auth-service';
import { signOut } from '../../access/sign-out';
import { formatMinute } from '../../../lib/format/time';
import { devicesQuery, useSignOutDevice, useSignOutEverywhere } from '../auth.api';
import { deviceName } from '../device-name';

/** Where I am signed in, and how to end it there. */
export function DeviceList() {
  const auth = useAuth();
  const devices = useQuery(devicesQuery);
  const end = useSignOutDevice();
  const endAll = useSignOutEverywhere();
  const failure = end.error ?? endAll.error;
  return (
    <Section
      title="Signed-in devices"
      description="Sign out a device that you do not recognize, then change your password."
    >
      {failure !== null && (
        <Callout tone="bad" role="alert" className="mb-3">
          <FailureText error={failure} />
        </Callout>
      )}
      <QueryGate query={devices} pending={<SkeletonRows count={2} className="h-13 rounded-lg" />}>
        {(data) => (
          <ul
            aria-label="Signed-in devices"
            className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
          >
            {data.map((device) => (
              <li key={device.id} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
                <MonitorSmartphone size={17} aria-hidden="true" className="text-faint" />
                <div className="min-w-44 flex-1">
                  <p className="flex flex-wrap items-center gap-2 font-medium" title={device.userAgent ?? undefined}>
                    {deviceName(device.userAgent)}
                    {device.current && <Badge tone="accent">This device</Badge>}
                  </p>
                  <p className="text-sm text-muted">
                    {device.address !== null && `${device.address} · `}last used {formatMinute(device.lastUsedAt)}
                  </p>
                </div>
                <Button
                  size="small"
                  aria-label={`Sign out ${device.current ? 'this device' : deviceName(device.userAgent)}`}
                  busy={end.isPending && end.variables === device.id}
                  onClick={() => (device.current ? void signOut(auth) : end.mutate(device.id))}
                >
                  Sign out
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryGate>
      <Button variant="danger" className="mt-3" busy={endAll.isPending} onClick={() => endAll.mutate()}>
        Sign out everywhere
      </Button>
    </Section>
  );
}
