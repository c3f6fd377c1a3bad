/**
 * Where things are inside every bubblewrap sandbox, on every machine: transcripts and git alternates name these paths.
 */
export const INSIDE = {
  workspace: '/workspace',
  config: '/config',
  objects: '/project/objects',
  attachments: '/attachments',
  modelSocket: '/run/model.sock',
  egressSocket: '/run/egress.sock',
  egressBridge: '/opt/chirality/egress-bridge.pl',
  authorities: '/opt/chirality/authorities.pem',
  home: '/home/agent',
  temporary: '/tmp',
} as const;
