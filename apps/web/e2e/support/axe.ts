import { readFileSync } from 'node:fs';
import type { Dashboard } from './dashboard';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Finding = { id: string; nodes: { html: string }[] };

/** What axe finds wrong on the page as it is. */
export async function findings({ page }: Dashboard): Promise<string[]> {
  // The page's own policy forbids scripts from elsewhere; this one comes in beside it.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } }).axe;
    return (await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })).violations;
  });
  return violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
  );
}
