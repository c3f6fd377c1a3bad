import { INSIDE } from '../inside-paths';
import type { SandboxPaths } from '../sandbox.types';

/** Turns paths inside a sandbox into the host's, for a process that runs without one. */
export function hostView(
  paths: SandboxPaths,
  own: { program: readonly [inside: string, host: string]; home: string },
): (text: string) => string {
  const pairs: Array<readonly [inside: string, host: string]> = [
    [INSIDE.workspace, paths.workspace],
    own.program,
    [INSIDE.home, own.home],
    ...(paths.config ? [[INSIDE.config, paths.config] as const] : []),
    ...(paths.objects ? [[INSIDE.objects, paths.objects] as const] : []),
    ...(paths.modelSocket ? [[INSIDE.modelSocket, paths.modelSocket] as const] : []),
    ...[...(paths.extraReadOnly ?? []), ...(paths.extraReadWrite ?? [])].map(
      ([host, inside]) => [inside, host] as const,
    ),
  ];
  return (text) => {
    const match = pairs.find(([inside]) => text === inside || text.startsWith(`${inside}/`));
    return match ? match[1] + text.slice(match[0].length) : text;
  };
}
