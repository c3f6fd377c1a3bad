import { Outlet } from '@tanstack/react-router';
import { UnsavedGuard } from './unsaved-guard';

/** Around every page, signed in or not. */
export function RootPage() {
  return (
    <>
      <Outlet />
      <UnsavedGuard />
    </>
  );
}
