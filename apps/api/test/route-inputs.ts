/** A body that the route's contract accepts, so that the refusal is about who asks. */
export const ROUTE_BODIES: Record<string, object> = {
  'patch /v1/teams/:teamId': { name: 'Taken over' },
  'put /v1/teams/:teamId/aliases': { aliases: [] },
  'patch /v1/teams/:teamId/members/:userId': { role: 'admin' },
  'post /v1/teams/:teamId/invitations': { email: 'intruder@example.org', role: 'admin' },
  'patch /v1/personas/:personaId': { baseVersion: 1, text: 'Taken over' },
  'post /v1/projects/:projectId/personas/:key/approve': { contentHash: 'a'.repeat(64) },
  'patch /v1/budgets/:budgetId': { limitUsd: '999' },
  'patch /v1/projects/:projectId': { name: 'Taken over' },
  'put /v1/projects/:projectId/members/:userId': { role: 'manage' },
  'post /v1/projects/:projectId/rules': { tool: 'Bash', pattern: 'make *', effect: 'allow' },
  'put /v1/projects/:projectId/variables/:name': { givenTo: 'turns' },
  'put /v1/projects/:projectId/setup-script': { script: 'id' },
  'put /v1/projects/:projectId/egress': { hosts: ['intruder.example'] },
  'post /v1/git-accounts/:accountId/test': { url: 'https://git.example.org/team/repo.git' },
  'patch /v1/service-accounts/:serviceAccountId': { name: 'Taken over' },
  'patch /v1/sessions/:sessionId': { title: 'Taken over' },
  'post /v1/sessions/:sessionId/events': { namespace: 'intruder', name: 'from-outside', data: null },
  'post /v1/sessions/:sessionId/turns': { message: 'from outside' },
  'post /v1/sessions/:sessionId/turns/:turnId/tools/:toolUseId/outcome': { outcome: 'failed' },
  'post /v1/sessions/:sessionId/permissions/:permissionId': { decision: 'allow_once' },
  'post /v1/sessions/:sessionId/comments': { path: 'a.txt', side: 'new', line: 1, body: 'from outside' },
  'patch /v1/sessions/:sessionId/comments/:commentId': { body: 'from outside' },
  'post /v1/sessions/:sessionId/commit': { message: 'from outside' },
  'post /v1/sessions/:sessionId/base': { act: 'merge' },
  'post /v1/sessions/:sessionId/pull-request': { title: 'from outside', head: 'theirs' },
  'post /v1/sessions/:sessionId/pull-request/send': { checks: ['test'] },
};

/** A query without which the route refuses the request before it looks who asks. */
export const ROUTE_QUERIES: Record<string, string> = {
  'get /v1/projects/:projectId/files/content': '?path=README.md',
  'get /v1/sessions/:sessionId/files/content': '?path=README.md',
  'put /v1/sessions/:sessionId/files/content': '?path=README.md',
  'get /v1/sessions/:sessionId/files/download': '?format=zip',
  'get /v1/sessions/:sessionId/diff/file': '?path=README.md',
};
