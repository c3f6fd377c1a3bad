import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemblePrompt } from '../prompt';
import { parsePersonaFile } from './persona-file';

const root = join(__dirname, '../../../../instructions');
const files = readdirSync(join(root, 'agents')).sort();

describe('the instructions that are shipped', () => {
  it('have these personas', () => {
    expect(files.map((file) => parsePersonaFile(readFileSync(join(root, 'agents', file), 'utf8'), file).key)).toEqual([
      'bug-hunter',
      'documenter',
      'planner',
      'refactorer',
      'reviewer',
      'test-writer',
    ]);
  });

  it.each(['workbench', 'pipeline', 'direct'])(
    'fit whole with every persona in a %s session and the most context that is read',
    (mode) => {
      for (const file of files) {
        const persona = parsePersonaFile(readFileSync(join(root, 'agents', file), 'utf8'), file);
        const { cuts } = assemblePrompt({
          base: readFileSync(join(root, 'base.md'), 'utf8'),
          mode: readFileSync(join(root, `mode-${mode}.md`), 'utf8'),
          persona: { key: persona.key, text: persona.prompt, untrusted: false },
          context: [
            { name: 'README.md', text: 'x'.repeat(4_096), cut: false },
            { name: 'AGENTS.md', text: 'x'.repeat(32_768), cut: false },
          ],
        });
        expect(cuts).toEqual([]);
      }
    },
  );

  it('let reviewers and planners change nothing by an editing tool', () => {
    for (const file of ['AGENT_REVIEWER.md', 'AGENT_PLANNER.md']) {
      const { options } = parsePersonaFile(readFileSync(join(root, 'agents', file), 'utf8'), file);
      expect(options.disallowedTools).toEqual(['Edit', 'Write', 'NotebookEdit']);
      expect(options.tools).not.toContain('Edit');
    }
  });
});
