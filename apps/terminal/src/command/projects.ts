import { allPages, answerOf, type ChiralityClient, type Project } from '@chirality/client';
import { connect, type AccountOptions } from '../account/connect';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import type { Terminal } from '../program/terminal';
import { oneLine, safeJson } from '../text/safe-text';
import { table } from '../text/table';

export async function listProjects(
  { environment, out, note }: Terminal,
  account: AccountOptions,
  { json }: { json?: boolean },
): Promise<void> {
  const projects = await allProjects(connect(account, environment));
  if (json) out(projects.map((project) => `${safeJson(project)}\n`).join(''));
  else if (projects.length === 0) note('There are no projects. Create one in the dashboard.\n');
  else out(table(projects.map(({ id, name }) => [id, name])));
}

function allProjects(client: ChiralityClient): Promise<Project[]> {
  return allPages((cursor) => answerOf(client.api.GET('/v1/projects', { params: { query: { cursor, limit: 200 } } })));
}

/** The project with that id or name; the only one there is where nothing is given. */
export async function projectOf(client: ChiralityClient, wanted: string | undefined): Promise<Project> {
  const projects = await allProjects(client);
  const found = projects.filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (wanted === undefined) throw new Failure(EXIT.usage, 'Name a project: --project. chirality projects lists them.');
  if (only !== undefined) throw new Failure(EXIT.usage, `Several projects are named ${oneLine(wanted)}. Give an id.`);
  throw new Failure(EXIT.refused, `There is no project ${oneLine(wanted)}. chirality projects lists them.`);
}
