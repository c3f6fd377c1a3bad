import { Outlet } from '@tanstack/react-router';
import { UnsavedGuard } from './unsaved-guard';

/** Around every page, whoever is signed in. */
export function RootPage() {
  return (
    <>
      <Outlet />
      <UnsavedGuard />
    </>
  );
}
