import { join } from 'node:path';
import { productVersion, testedClaudeVersion } from './versions';

/** Where this program is installed, and what it is. */
export class Installation {
  readonly version: string;
  readonly testedClaudeVersion: string;
  /** What Chirality ships for the model to read. */
  readonly instructions: string;

  constructor(readonly root: string = join(__dirname, '../../../..')) {
    this.version = productVersion(root);
    this.testedClaudeVersion = testedClaudeVersion(root);
    this.instructions = join(root, 'instructions');
  }
}
