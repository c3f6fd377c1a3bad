import { ApiDescription, type Operation, type Schema } from './api-description';

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const flag: Schema = { type: 'boolean' };
const pages = { page: whole, per_page: whole };
const user: Schema = {
  type: 'object',
  properties: { id: whole, username: text, name: text, state: text, access_level: whole },
};
const mergeRequest: Schema = {
  type: 'object',
  properties: {
    id: whole,
    iid: whole,
    web_url: text,
    title: text,
    description: text,
    state: { enum: ['opened', 'closed', 'merged', 'locked'] },
    draft: flag,
    sha: text,
    source_branch: text,
    source_project_id: whole,
    target_project_id: whole,
    target_branch: text,
    reviewers: { type: 'array', items: user },
  },
};
const note: Schema = {
  type: 'object',
  properties: {
    id: whole,
    type: { ...text, nullable: true },
    body: text,
    author: user,
    system: flag,
    resolvable: flag,
    resolved: flag,
    position: {
      type: 'object',
      nullable: true,
      properties: {
        position_type: text,
        new_path: text,
        old_path: text,
        new_line: { ...whole, nullable: true },
        old_line: { ...whole, nullable: true },
      },
    },
  },
};
const status: Schema = {
  type: 'object',
  properties: {
    id: whole,
    sha: text,
    ref: text,
    name: text,
    status: { enum: ['pending', 'running', 'success', 'failed', 'canceled', 'skipped', 'manual', 'created'] },
    target_url: { ...text, nullable: true },
    description: { ...text, nullable: true },
    allow_failure: flag,
  },
};
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const route = (method: string, path: string, facts: Partial<Operation>): Operation => ({
  method,
  path,
  query: {},
  body: null,
  answer: null,
  ...facts,
});

/** What GitLab documents of the routes that are used: no package that tests could have holds its own description. */
const OPERATIONS: readonly Operation[] = [
  route('GET', '/projects/{id}', {
    answer: {
      type: 'object',
      properties: { id: whole, default_branch: text, path_with_namespace: text, web_url: text },
    },
  }),
  route('GET', '/projects/{id}/members/all', {
    query: { ...pages, query: text, user_ids: listOf(whole), state: { enum: ['active', 'awaiting'] } },
    answer: listOf(user),
  }),
  route('GET', '/projects/{id}/merge_requests', {
    query: { ...pages, state: { enum: ['opened', 'closed', 'locked', 'merged', 'all'] }, source_branch: text },
    answer: listOf(mergeRequest),
  }),
  route('POST', '/projects/{id}/merge_requests', {
    body: {
      type: 'object',
      required: ['source_branch', 'target_branch', 'title'],
      properties: {
        source_branch: text,
        target_branch: text,
        title: text,
        description: text,
        reviewer_ids: listOf(whole),
        assignee_id: whole,
        labels: text,
        remove_source_branch: flag,
        squash: flag,
      },
    },
    answer: mergeRequest,
  }),
  route('GET', '/projects/{id}/merge_requests/{merge_request_iid}', { answer: mergeRequest }),
  route('GET', '/projects/{id}/merge_requests/{merge_request_iid}/discussions', {
    query: pages,
    answer: listOf({ type: 'object', properties: { id: text, individual_note: flag, notes: listOf(note) } }),
  }),
  route('GET', '/projects/{id}/repository/commits/{sha}/statuses', {
    query: { ...pages, ref: text, stage: text, name: text, all: flag },
    answer: listOf(status),
  }),
  route('GET', '/projects/{id}/jobs/{job_id}/trace', {}),
];

export function gitlabDescription(): ApiDescription {
  return new ApiDescription(OPERATIONS, () => ({}));
}
