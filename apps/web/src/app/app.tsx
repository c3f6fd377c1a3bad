import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useObservable } from '../lib/state/use-observable';
import { queryClient } from './services/query-client';
import { router } from './router';
import { auth } from './services/services';
import { ServicesProvider } from './services/services-provider';
import { Splash } from './frame/splash';

export function App() {
  const { status } = useObservable(auth.state);
  useEffect(() => {
    if (status === 'signed-in' || status === 'signed-out') void router.invalidate();
  }, [status]);
  if (status === 'unknown' || status === 'unreachable') return <Splash isUnreachable={status === 'unreachable'} />;
  return (
    <ServicesProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ServicesProvider>
  );
}
